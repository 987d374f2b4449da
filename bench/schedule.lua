-- wrk script: POST /v1/actions, where SEMEL_DUPLICATES percent of the requests repeat a recent key.
local duplicates = tonumber(os.getenv("SEMEL_DUPLICATES") or "50")
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init()
  math.randomseed(number + 1)
  entity = 0
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
end

function request()
  local id
  if entity > 0 and math.random(100) <= duplicates then
    id = math.max(1, entity - math.random(0, 999))
  else
    entity = entity + 1
    id = entity
  end
  local body = string.format(
    '{"type":"bench","payload":{"entityId":"%d-%d","note":"hello"},"deduplication":{"windowSeconds":3600}}',
    number, id)
  return wrk.format(nil, "/v1/actions", nil, body)
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format("%.0f decisions/s, p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, errors %d\n",
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000,
    latency:percentile(99) / 1000, latency:percentile(99.9) / 1000,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
