-- wrk script: claims keys of its own and seals each of them. What it calls decisions are requests: two make a pair.
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "load.lua")

local claims = 0
local owned = {}

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
