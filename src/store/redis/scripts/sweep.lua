#!lua
-- Forgets entries by expiry whose rows are gone; a row may have come back since somebody looked.
--   KEYS  1 an index, then rows      ARGV  of each row its member there
for i = 1, #ARGV do
    if redis.call('EXISTS', KEYS[1 + i]) == 0 then redis.call('ZREM', KEYS[1], ARGV[i]) end
end
return #ARGV
