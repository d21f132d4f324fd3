-- The same rules with the column first that tells rows apart: comparing keys is most of what an entry costs, and an order's
-- transfers come when it is among the newest. Either index is made before the old one goes, so that the rule holds throughout.
create unique index orders_reference_first on orders (reference, account_id, service, call);
drop index orders_reference;
alter index orders_reference_first rename to orders_reference;

create unique index transfers_order_first on transfers (order_id, kind, account_id) where order_id is not null and kind <> 'refund';
drop index transfers_once;
alter index transfers_order_first rename to transfers_once;
