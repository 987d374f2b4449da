-- wrk script: POSTs of 140 bytes to a path, with an Idempotency-Key by SEMEL_KEYS: `none`, `new` (each its own) or a number,
-- which is how many there are: key-1 to key-N again and again. What it calls decisions are requests.
local keys = os.getenv("SEMEL_KEYS") or "none"
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "load.lua")

local body = '{"order":"' .. string.rep("x", 128) .. '"}'
local sent = 0

function request()
  sent = sent + 1
  local headers = {["Content-Type"] = "application/json"}
  if keys == "new" then
    headers["Idempotency-Key"] = string.format("new-%d-%d", number, sent)
  elseif keys ~= "none" then
    headers["Idempotency-Key"] = string.format("key-%d", math.random(tonumber(keys)))
  end
  return wrk.format("POST", "/orders", headers, body)
end
