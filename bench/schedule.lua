-- wrk script: POST /v1/actions, where SEMEL_DUPLICATES percent of the requests repeat a recent key.
local duplicates = tonumber(os.getenv("SEMEL_DUPLICATES") or "50")
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "load.lua")

local entity = 0

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
