-- wrk script: claims keys of its own and seals each of them. What it calls decisions are requests: two make a pair.
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init()
  claims = 0
  owned = {}
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
end

-- A seal for each claim that was answered; otherwise one more claim.
function request()
  local seal = table.remove(owned)
  if seal then
    return wrk.format(nil, "/v1/fences/" .. seal.key .. "/seal", nil,
      '{"token":' .. seal.token .. ',"effectId":"effect","receipt":{"paid":true}}')
  end
  claims = claims + 1
  return wrk.format(nil, "/v1/fences/claim", nil,
    string.format('{"key":"pair-%d-%d","content":{"invoice":"%d-%d"}}', number, claims, number, claims))
end

function response(status, headers, body)
  local key, token = body:match('^{"decision":"new","key":"([^"]+)","token":(%d+)')
  if key then
    owned[#owned + 1] = {key = key, token = token}
  end
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format("%.0f decisions/s, p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, errors %d\n",
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000,
    latency:percentile(99) / 1000, latency:percentile(99.9) / 1000,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
