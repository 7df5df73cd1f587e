-- The revision of MCP that a seller's server answered in when it was verified: a later delivery begins with it.
ALTER TABLE delivery_endpoints ADD COLUMN mcp_revision TEXT;
-- Servers that were verified before were asked with `initialize`.
UPDATE delivery_endpoints SET mcp_revision = '2025-11-25' WHERE callback_type = 'mcp';
