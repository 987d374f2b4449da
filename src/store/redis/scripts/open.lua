#!lua
-- The data set that this is, made where there is none, and what the nodes agreed on about time.
--   KEYS  1 meta      ARGV  1 an id for a new one, 2 the format that we write, 3 store time, or 0
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('HSET', KEYS[1], 'id', ARGV[1], 'format', ARGV[2]) end
if tonumber(ARGV[3]) > tonumber(redis.call('HGET', KEYS[1], 'time_mark') or '0') then
    redis.call('HSET', KEYS[1], 'time_mark', ARGV[3])
end
return redis.call('HMGET', KEYS[1], 'id', 'format')
