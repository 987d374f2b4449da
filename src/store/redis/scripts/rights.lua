#!lua
-- What this user may not do of all that loads and commits do. It is tried in ways that change
-- nothing, or is undone at once: what cannot be undone is not done.
--   KEYS  1 meta, 2 claims by expiry, 3 sources by expiry; and keys that nobody uses, named like
--         those of 4 a mark, 5 a claim, 6 a source
-- Answers a list of `COMMAND key: why`.
local refused = {}
local function may(command, ...)
    local reply = redis.pcall(command, ...)
    local why = type(reply) == 'table' and reply.err
    if not why or string.find(why, 'WRONGTYPE', 1, true) then return true end
    local key = ...
    refused[#refused + 1] = command .. (key and ' ' .. key or '') .. ': ' .. why
    return false
end

may('TIME')
may('HGET', KEYS[1], 'id')
may('HMGET', KEYS[1], 'id', 'format')
if may('HDEL', KEYS[1], 'rights') then
    may('HSETNX', KEYS[1], 'rights', '')
    may('HSET', KEYS[1], 'rights', '')
    redis.pcall('HDEL', KEYS[1], 'rights')
end
for i = 2, 3 do
    may('ZCARD', KEYS[i])
    may('ZRANGEBYSCORE', KEYS[i], '-inf', '(-inf', 'LIMIT', '0', '1')
    may('ZREM', KEYS[i], 'rights')
    may('ZADD', KEYS[i], 'XX', '0', 'rights')
end
may('EXISTS', KEYS[4])
may('SET', KEYS[4], 'void', 'XX', 'PX', '1')
for i = 5, 6 do
    may('EXISTS', KEYS[i])
    may('HGET', KEYS[i], 'v')
    may('HMGET', KEYS[i], 'v', 'd')
    may('HDEL', KEYS[i], 'v')
    may('PERSIST', KEYS[i])
    may('PEXPIRE', KEYS[i], '1')
    if may('DEL', KEYS[i]) then
        may('HSET', KEYS[i], 'v', '')
        redis.pcall('DEL', KEYS[i])
    end
end
return refused
