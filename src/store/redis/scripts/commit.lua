#!lua
-- One commit: every row, or nothing.
--   KEYS  1 meta, 2 the mark of this commit, 3 claims by expiry, 4 sources by expiry, then rows
--   ARGV  1 stamp, 2 store time, 3 how long the mark is kept, 4 the data set, 5 channel of ends or ''
--         then for each row its stamp as it was loaded: '' absent, '*' present, '!' there without one
--         then changes: number of the row, number of its index, its member there, and
--           'drop'
--           'edit', fields (count, name and value each), fields to forget (count, name each)
--           'put', the same, when it expires or '', and for how long it may lie here or ''
-- What can fail comes before the first write: nobody takes back what a script has written.
local rows = #KEYS - 4
if redis.call('EXISTS', KEYS[2]) == 1 then return 'void' end
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[4] then return 'other' end

-- No hash, or one that has other fields of ours: nobody may take it for absent, nor write over it.
local function stamp_of(key)
    local found = redis.pcall('HGET', key, 'v')
    if type(found) == 'table' then
        if string.find(found.err, 'WRONGTYPE', 1, true) then return '!' end
        error(found)
    end
    if found then return found ~= '' and found or '!' end
    local others = redis.call('HMGET', key, 'd', 'x', 'b')
    return (others[1] or others[2] or others[3]) and '!'
end

for i = 1, rows do
    local found = stamp_of(KEYS[4 + i])
    local expected = ARGV[5 + i]
    local is_same = found == expected or (expected == '' and not found) or
        (expected == '*' and found and found ~= '!')
    if not is_same then return 'changed' end
end
redis.call('ZCARD', KEYS[3])
redis.call('ZCARD', KEYS[4])
local time_mark = tonumber(redis.call('HGET', KEYS[1], 'time_mark') or '0') or 0

local at = 5 + rows
local function take()
    at = at + 1
    return ARGV[at]
end

local function edit(key)
    local values = {'v', ARGV[1]}
    for _ = 1, 2 * tonumber(take()) do values[#values + 1] = take() end
    redis.call('HSET', key, unpack(values))
    for _ = 1, tonumber(take()) do redis.call('HDEL', key, take()) end
end

local function set_times(key, index, member)
    local expires, lies = take(), take()
    if expires == '' then redis.call('ZREM', index, member) else redis.call('ZADD', index, expires, member) end
    if lies == '' then redis.call('PERSIST', key) else redis.call('PEXPIRE', key, lies) end
end

local function write()
    while at < #ARGV do
        local key, index, member = KEYS[4 + tonumber(take())], KEYS[tonumber(take())], take()
        local verb = take()
        if verb == 'drop' then
            redis.call('DEL', key)
            redis.call('ZREM', index, member)
        else
            edit(key)
            if verb == 'put' then set_times(key, index, member) end
        end
    end
    if tonumber(ARGV[2]) > time_mark then redis.call('HSET', KEYS[1], 'time_mark', ARGV[2]) end
end

redis.call('SET', KEYS[2], 'done', 'PX', ARGV[3])
local is_whole, why = pcall(write)
if not is_whole then
    -- Rights that were taken away since the node looked at them. Neither done nor void.
    redis.call('SET', KEYS[2], 'torn', 'PX', ARGV[3])
    return 'torn: ' .. tostring(type(why) == 'table' and why.err or why)
end
-- A hint, which some users may not publish: what is written stands.
if ARGV[5] ~= '' then redis.pcall('PUBLISH', ARGV[5], '') end
return 'done'
