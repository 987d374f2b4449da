#!lua
-- Another offset of the clock, unless another node was first.
--   KEYS  1 meta      ARGV  1, 2 as it was read: ahead, since; 3, 4 as it shall be
local now = redis.call('HMGET', KEYS[1], 'clock_ahead', 'clock_since')
if (now[1] or '0') ~= ARGV[1] or (now[2] or '0') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'clock_ahead', ARGV[3], 'clock_since', ARGV[4])
return 1
