-- wrk script: claims the keys replay-1 to replay-SEMEL_KEYS, which are sealed, again and again.
local keys = tonumber(os.getenv("SEMEL_KEYS") or "1000")
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init()
  math.randomseed(number + 1)
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
end

function request()
  return wrk.format(nil, "/v1/fences/claim", nil, string.format('{"key":"replay-%d"}', math.random(keys)))
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format("%.0f decisions/s, p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, errors %d\n",
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000,
    latency:percentile(99) / 1000, latency:percentile(99.9) / 1000,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
