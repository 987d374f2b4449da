-- wrk script: claims the keys replay-1 to replay-SEMEL_KEYS, which are sealed, again and again.
local keys = tonumber(os.getenv("SEMEL_KEYS") or "1000")
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "load.lua")

function request()
  return wrk.format(nil, "/v1/fences/claim", nil, string.format('{"key":"replay-%d"}', math.random(keys)))
end
