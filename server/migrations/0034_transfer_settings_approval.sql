-- Limits and fees of money transfers need a second person wherever fee and commission rules do.
alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check check (kind in (
  'wallet', 'settle', 'reverse', 'refund', 'cancel', 'complaint_refund', 'rules', 'reconcile',
  'pricing', 'pricing_end', 'provider', 'provider_secret', 'operator_key', 'transfer_settings'));
