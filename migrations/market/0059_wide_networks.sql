-- Who has a /48 of IPv6 has 65,536 networks: what keys of one network may do together is counted for the /48, too.
-- A keyed hash; NULL for IPv4, and for whoever was there before it was kept.
ALTER TABLE agents ADD COLUMN registered_from_wide TEXT;
