-- wrk script: POST /v1/actions, where SEMEL_DUPLICATES percent of the requests repeat a recent key; as they were, or
-- with another payload where SEMEL_DUPLICATES_SAY is `other`.
local duplicates = tonumber(os.getenv("SEMEL_DUPLICATES") or "50")
local say_other = os.getenv("SEMEL_DUPLICATES_SAY") == "other"
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "load.lua")

local entity = 0
local requests_made = 0

function request()
  local id
  if entity > 0 and math.random(100) <= duplicates then
    id = math.max(1, entity - math.random(0, 999))
  else
    entity = entity + 1
    id = entity
  end
  requests_made = requests_made + 1
  local body = string.format(
    '{"type":"bench","payload":{"entityId":"%d-%d","note":"hello %d"},"deduplication":{"windowSeconds":3600}}',
    number, id, say_other and requests_made or 0)
  return wrk.format(nil, "/v1/actions", nil, body)
end
