-- The key of order_references: 12 bytes of SHA-256 over account, service and reference, then 4 over the operation, so that
-- the operations of one reference lie next to each other. server/src/domain/orders/reference-digest.ts computes the same.
-- Locks: none; computes only.
create function order_reference_digest(account text, service text, reference text, operation text) returns uuid
language sql immutable strict parallel safe
return encode(substring(sha256(convert_to(account || E'\n' || service || E'\n' || reference, 'UTF8')) for 12)
  || substring(sha256(convert_to(operation, 'UTF8')) for 4), 'hex')::uuid;
