// Written by `npm run schema` from server/schema. Do not edit.

type Rows = {
  readonly account_cells: {
    readonly account_id: string;
    readonly cell: number;
    readonly since: Date;
    readonly held: boolean;
  };
  readonly account_moves: {
    readonly move_id: string;
    readonly account_id: string;
    readonly account_ids: string[];
    readonly from_cell: number;
    readonly to_cell: number;
    readonly phase: "held" | "copied" | "switched" | "done" | "cancelled";
    readonly callbacks_paused: string[];
    readonly started_by: string;
    readonly started_at: Date;
    readonly phase_at: Date;
  };
  readonly accounts: {
    readonly account_id: string;
    readonly name: string;
    readonly sandbox: boolean;
    readonly standing: "active" | "paused" | "inactive";
    readonly kyc: "verified" | "pending";
    readonly agreement: "signed" | "pending";
    readonly wallet: "active" | "suspended";
    readonly signing_required: boolean;
    readonly money_per_minute: number;
    readonly get_per_minute: number;
    readonly daily_limit: bigint | null;
    readonly services: string[];
    readonly allowlist: string[];
    readonly callback_url: string | null;
    readonly complaint_callback_url: string | null;
    readonly callback_version: 2 | 3;
    readonly callbacks_paused: boolean;
    readonly log_bodies: "none" | "failures" | "all";
    readonly closed_at: Date | null;
    readonly callback_settings_version: number;
    readonly created_at: Date;
    readonly updated_at: Date;
  };
  readonly aeps_authentications: {
    readonly account_id: string;
    readonly auth_ref: string;
    readonly outlet_id: string;
    readonly type: "DAILY" | "TXN";
    readonly bank_iin: string | null;
    readonly person_digest: Buffer;
    readonly valid_until: Date;
    readonly order_id: string | null;
    readonly provider_auth_ref: string;
  };
  readonly aeps_encryption_key: {
    readonly singleton: boolean;
    readonly key_id: string;
    readonly public_key: string;
    readonly secret_key_id: string;
    readonly secret: Buffer;
    readonly created_at: Date;
  };
  readonly aeps_outlets: {
    readonly account_id: string;
    readonly outlet_id: string;
    readonly state: "OTP_PENDING" | "BIOMETRIC_PENDING" | "ACTIVE" | "SUSPENDED" | "REJECTED";
    readonly reason: string;
    readonly provider: string;
    readonly agent_code: string | null;
    readonly onboarding_url: string | null;
    readonly mobile: string;
    readonly email: string;
    readonly first_name: string;
    readonly last_name: string;
    readonly shop_name: string;
    readonly shop_type: string;
    readonly pan_masked: string;
    readonly aadhaar_last4: string;
    readonly owner_digest: Buffer;
    readonly address: unknown;
    readonly bank_account_masked: string;
    readonly ifsc: string;
    readonly device_model: string;
    readonly device_serial: string;
    readonly latitude: string;
    readonly longitude: string;
    readonly otp_ref: string | null;
    readonly otp_sent_at: Date | null;
    readonly daily_auth_until: Date | null;
    readonly wrong_owner_day: Date | null;
    readonly wrong_owner_count: number;
    readonly last_used_at: Date;
    readonly created_at: Date;
    readonly updated_at: Date;
  };
  readonly aeps_transactions: {
    readonly account_id: string;
    readonly order_id: string;
    readonly outlet_id: string;
    readonly operation: string;
    readonly bank_name: string;
    readonly customer_digest: Buffer;
    readonly customer_last4: string;
    readonly day: Date;
  };
  readonly alert_settings: {
    readonly singleton: boolean;
    readonly provider_success_percent: number | null;
    readonly provider_success_orders: number;
    readonly breaker_open: boolean;
    readonly pending_orders: number | null;
    readonly human_tasks: number | null;
    readonly callback_minutes: number | null;
    readonly job_failures: number | null;
    readonly failed_jobs: number | null;
    readonly provider_balance: number | null;
    readonly provider_float: boolean;
    readonly clock_seconds: number | null;
    readonly close_seconds: number;
  };
  readonly alerts: {
    readonly alert_id: string;
    readonly kind: string;
    readonly subject: string;
    readonly message: string;
    readonly opened_at: Date;
    readonly seen_at: Date;
    readonly closed_at: Date | null;
    readonly acknowledged_at: Date | null;
    readonly acknowledged_by: string | null;
    readonly note: string | null;
  };
  readonly announcement_dismissals: {
    readonly user_id: string;
    readonly announcement_id: string;
    readonly at: Date;
  };
  readonly announcements: {
    readonly announcement_id: string;
    readonly title: string;
    readonly text: string;
    readonly shown_from: Date;
    readonly shown_until: Date | null;
    readonly created_by: string;
    readonly created_at: Date;
    readonly withdrawn_at: Date | null;
  };
  readonly api_calls: {
    readonly account_id: string;
    readonly at: Date;
    readonly request_id: string;
    readonly method: string;
    readonly path: string;
    readonly status: number;
    readonly error: string | null;
    readonly code: number | null;
    readonly milliseconds: number;
    readonly address: string;
    readonly reference: string | null;
    readonly order_id: string | null;
    readonly signed: string;
    readonly credential_id: string | null;
    readonly times: number;
    readonly token_id: string | null;
    readonly request_body: string | null;
    readonly reply_body: string | null;
  };
  readonly api_refused_signatures: {
    readonly account_id: string;
    readonly at: Date;
    readonly request_id: string;
    readonly method: string;
    readonly path: string;
    readonly canonical_query: string;
    readonly body_sha256: string;
    readonly timestamp: string;
    readonly nonce: string;
    readonly reason: string;
  };
  readonly api_signed_calls: {
    readonly account_id: string;
    readonly credential_id: string;
    readonly hour: Date;
    readonly calls: bigint;
  };
  readonly api_usage: {
    readonly account_id: string;
    readonly kind: string;
    readonly subject: string;
    readonly last_at: Date;
    readonly last_address: string;
    readonly calls: bigint;
  };
  readonly applied_configuration: {
    readonly singleton: boolean;
    readonly applied_at: Date;
    readonly applied_by: string;
    readonly fingerprint: string;
    readonly alert_on_drift: boolean;
    readonly whole_kinds: string[];
    readonly drift: string | null;
  };
  readonly applied_configuration_objects: {
    readonly kind: string;
    readonly name: string;
    readonly digest: string;
  };
  readonly approval_payloads: {
    readonly approval_id: string;
    readonly key_id: string;
    readonly sealed: Buffer;
  };
  readonly approval_rules: {
    readonly singleton: boolean;
    readonly wallet_threshold: bigint | null;
    readonly order_threshold: bigint | null;
    readonly keys_included: boolean;
    readonly expire_hours: number;
    readonly pricing_included: boolean;
    readonly providers_included: boolean;
    readonly new_person_hours: number;
  };
  readonly approvals: {
    readonly approval_id: string;
    readonly kind: "wallet" | "settle" | "reverse" | "refund" | "cancel" | "complaint_refund" | "rules" | "reconcile" | "bulk_settle" | "pricing" | "pricing_end" | "provider" | "provider_secret" | "operator_key" | "transfer_settings" | "single_sign_on";
    readonly about: string;
    readonly input: unknown;
    readonly amount: bigint | null;
    readonly account_id: string | null;
    readonly order_id: string | null;
    readonly made_by: string;
    readonly maker_person: string;
    readonly state: "waiting" | "approved" | "rejected" | "withdrawn" | "expired" | "done" | "failed";
    readonly decided_by: string | null;
    readonly checker_person: string | null;
    readonly reason: string | null;
    readonly result: unknown;
    readonly created_at: Date;
    readonly expires_at: Date;
    readonly decided_at: Date | null;
    readonly begun_at: Date | null;
    readonly finished_at: Date | null;
  };
  readonly archive_runs: {
    readonly singleton: boolean;
    readonly started_at: Date;
    readonly ended_at: Date | null;
    readonly failure: string | null;
  };
  readonly archived_months: {
    readonly month: string;
    readonly first_order_id: string;
    readonly end_order_id: string;
    readonly checked_from: string;
    readonly manifest_sha256: string;
    readonly detached_at: Date;
    readonly dropped_at: Date | null;
  };
  readonly audit_head: {
    readonly singleton: boolean;
    readonly seq: bigint;
    readonly hash: Buffer;
  };
  readonly audit_log: {
    readonly seq: bigint;
    readonly at: Date;
    readonly actor: string;
    readonly action: string;
    readonly subject_kind: string;
    readonly subject_id: string;
    readonly details: string;
    readonly previous_hash: Buffer;
    readonly hash: Buffer;
  };
  readonly bill_fetches: {
    readonly account_id: string;
    readonly fetch_ref: string;
    readonly request_id: string;
    readonly provider: string;
    readonly biller_id: string;
    readonly terms: unknown;
    readonly params: unknown;
    readonly target: string;
    readonly customer_mobile: string;
    readonly state: "pending" | "SUCCESS" | "FAILED";
    readonly bills: unknown;
    readonly min_amount: bigint | null;
    readonly max_amount: bigint | null;
    readonly reason: string | null;
    readonly provider_ref: string;
    readonly created_at: Date;
    readonly updated_at: Date;
    readonly valid_until: Date;
  };
  readonly bill_payments: {
    readonly account_id: string;
    readonly order_id: string;
    readonly fetch_ref: string | null;
    readonly biller_id: string;
    readonly biller_name: string;
    readonly category: string;
    readonly bill_number: string;
    readonly customer_name: string;
    readonly due_date: string;
    readonly payment_mode: string;
  };
  readonly bulk_items: {
    readonly selection_id: string;
    readonly place: number;
    readonly account_id: string;
    readonly item_id: string;
    readonly amount: bigint;
    readonly attempt: number | null;
    readonly state: "waiting" | "done" | "skipped";
    readonly detail: string;
  };
  readonly bulk_selections: {
    readonly selection_id: string;
    readonly action: "requery" | "settle" | "resend";
    readonly mode: "live" | "test" | null;
    readonly made_by: string;
    readonly created_at: Date;
    readonly started_at: Date | null;
    readonly items: number;
    readonly amount: bigint;
  };
  readonly bus_block_seats: {
    readonly account_id: string;
    readonly block_ref: string;
    readonly seat: string;
    readonly fare: bigint;
    readonly cancel_id: string | null;
  };
  readonly bus_blocks: {
    readonly account_id: string;
    readonly block_ref: string;
    readonly request_id: string;
    readonly provider: string;
    readonly trip_id: string;
    readonly operator: string;
    readonly mobile: string;
    readonly trip: unknown;
    readonly departure_at: Date;
    readonly partial_cancel: boolean;
    readonly total: bigint | null;
    readonly fare_changed: boolean;
    readonly provider_ref: string;
    readonly created_at: Date;
    readonly expires_at: Date;
    readonly order_id: string | null;
    readonly ticket_no: string | null;
  };
  readonly bus_cancel_quotes: {
    readonly account_id: string;
    readonly ticket_no: string;
    readonly quote_ref: string;
    readonly seats: string[];
    readonly refund: bigint;
    readonly charges: bigint;
    readonly valid_until: Date;
    readonly by_provider: boolean;
  };
  readonly bus_cancellations: {
    readonly account_id: string;
    readonly cancel_id: string;
    readonly block_ref: string;
    readonly order_id: string;
    readonly request_id: string | null;
    readonly actor: string | null;
    readonly reason: string;
    readonly seats: string[];
    readonly refund: bigint;
    readonly state: "asked" | "done";
    readonly created_at: Date;
    readonly next_at: Date;
    readonly approval_id: string | null;
    readonly made_by: string | null;
    readonly asked_until: Date | null;
    readonly asked_times: number;
    readonly doubt: string | null;
  };
  readonly bus_seat_holders: {
    readonly provider: string;
    readonly trip_id: string;
    readonly seat: string;
    readonly account_id: string;
    readonly block_ref: string;
    readonly departure_at: Date;
    readonly claimed_at: Date | null;
  };
  readonly bus_trips: {
    readonly provider: string;
    readonly trip_id: string;
    readonly provider_trip_id: string;
    readonly from_city: string;
    readonly to_city: string;
    readonly day: string;
    readonly departure_at: Date;
    readonly trip: unknown;
  };
  readonly callback_attempts: {
    readonly account_id: string;
    readonly callback_id: string;
    readonly attempt: number;
    readonly at: Date;
    readonly url: string;
    readonly version: number;
    readonly http_status: number | null;
    readonly error: string | null;
    readonly milliseconds: number;
    readonly reply: string | null;
  };
  readonly callback_claims: {
    readonly account_id: string;
    readonly kind: string;
    readonly callback_id: string;
    readonly claim_id: string;
    readonly ends_at: Date;
    readonly ts: bigint;
    readonly version: number;
    readonly settings_version: number;
  };
  readonly callback_queues: {
    readonly account_id: string;
    readonly kind: string;
    readonly retry_tier: number;
    readonly next_at: Date;
  };
  readonly callback_targets: {
    readonly account_id: string;
    readonly kind: string;
    readonly failures: number;
    readonly slow: boolean;
    readonly probe_at: Date | null;
    readonly settings_version: number;
  };
  readonly callback_tests: {
    readonly account_id: string;
    readonly settings_version: number;
    readonly url: string;
    readonly credential_id: string | null;
    readonly at: Date;
    readonly http_status: number | null;
    readonly error: string | null;
  };
  readonly callbacks: {
    readonly account_id: string;
    readonly callback_id: string;
    readonly kind: "status" | "complaint";
    readonly order_id: string;
    readonly urid: string;
    readonly status: string;
    readonly amount: bigint;
    readonly target: string;
    readonly operator_ref: string | null;
    readonly complaint_ref: string | null;
    readonly refund_amount: bigint | null;
    readonly reason: string | null;
    readonly resolved_at: Date | null;
    readonly state: "waiting" | "delivered";
    readonly attempts: number;
    readonly next_at: Date;
    readonly settings_version: number;
    readonly last_http_status: number | null;
    readonly last_error: string | null;
    readonly created_at: Date;
    readonly delivered_at: Date | null;
    readonly retry_step: number;
    readonly retry_tier: number;
    readonly last_ts: bigint;
    readonly version: number | null;
  };
  readonly cells: {
    readonly cell: number;
    readonly added_at: Date;
  };
  readonly circles: {
    readonly circle: string;
    readonly name: string;
  };
  readonly complaints: {
    readonly account_id: string;
    readonly complaint_ref: string;
    readonly order_id: string;
    readonly request_id: string | null;
    readonly reason_code: string;
    readonly description: string;
    readonly status: "OPEN" | "RESOLVED" | "REFUNDED";
    readonly stage: "logged" | "with_operator" | "decided" | "refund_blocked";
    readonly blocked_by: string | null;
    readonly refund_amount: bigint;
    readonly reason: string;
    readonly raised_at: Date;
    readonly due_by: Date;
    readonly resolved_at: Date | null;
    readonly archived_order: unknown;
  };
  readonly counted_order_minutes: {
    readonly minute: Date;
    readonly counted_at: Date;
    readonly pending: number;
  };
  readonly credentials: {
    readonly account_id: string;
    readonly credential_id: string;
    readonly kind: "api_token" | "signing_secret" | "callback_secret";
    readonly key_id: string;
    readonly sealed: Buffer;
    readonly digest: Buffer;
    readonly created_at: Date;
    readonly expires_at: Date | null;
    readonly is_primary: boolean;
    readonly name: string;
    readonly scopes: string[] | null;
    readonly read_only: boolean;
    readonly revoked_at: Date | null;
  };
  readonly idempotent_requests: {
    readonly account_id: string;
    readonly operation: string;
    readonly request_id: string;
    readonly fingerprint: string;
    readonly record: string;
    readonly created_at: Date;
  };
  readonly identity_providers: {
    readonly provider_id: string;
    readonly realm: "portal" | "console";
    readonly account_id: string | null;
    readonly name: string;
    readonly issuer: string;
    readonly client_id: string;
    readonly key_id: string | null;
    readonly sealed: Buffer | null;
    readonly role_claim: string | null;
    readonly role_map: unknown;
    readonly default_role: string | null;
    readonly grants_manager: boolean;
    readonly creates_members: boolean;
    readonly second_factor: "local" | "provider";
    readonly enforced: boolean;
    readonly enabled: boolean;
    readonly created_at: Date;
    readonly changed_at: Date;
    readonly changed_by: string;
    readonly changed_by_person: string | null;
  };
  readonly installation: {
    readonly singleton: boolean;
    readonly installation_id: string;
    readonly created_at: Date;
    readonly master_key_file: string;
    readonly master_key_id: string;
    readonly cell: number;
  };
  readonly installation_mode: {
    readonly singleton: boolean;
    readonly live_since: Date;
    readonly cause: "route" | "setting";
  };
  readonly invitations: {
    readonly invitation_id: string;
    readonly realm: "portal" | "console";
    readonly account_id: string | null;
    readonly email: string;
    readonly role: string;
    readonly digest: Buffer;
    readonly invited_by: string;
    readonly created_at: Date;
    readonly expires_at: Date;
    readonly ended_at: Date | null;
    readonly inviter_person: string | null;
  };
  readonly job_files: {
    readonly job_id: string;
    readonly part: number;
    readonly content: Buffer;
  };
  readonly jobs: {
    readonly owner: "client" | "staff";
    readonly queue: string;
    readonly job_id: string;
    readonly started_by: string;
    readonly kind: string;
    readonly input: unknown;
    readonly state: "waiting" | "running" | "done" | "failed" | "cancelled";
    readonly done: bigint;
    readonly total: bigint | null;
    readonly resume_from: unknown;
    readonly result: unknown;
    readonly claims: number;
    readonly claim_id: string | null;
    readonly lease_until: Date | null;
    readonly cancel_asked: boolean;
    readonly created_at: Date;
    readonly started_at: Date | null;
    readonly finished_at: Date | null;
    readonly account_id: string | null;
  };
  readonly known_devices: {
    readonly digest: Buffer;
    readonly user_id: string;
    readonly created_at: Date;
    readonly last_used_at: Date;
  };
  readonly ledger_check_positions: {
    readonly account_id: string;
    readonly pass: "new" | "all";
    readonly seq: bigint;
    readonly available: bigint;
    readonly held: bigint;
    readonly cleared: bigint;
    readonly funding: bigint;
    readonly fees: bigint;
    readonly order_id: string;
    readonly checked_at: Date;
  };
  readonly ledger_check_state: {
    readonly process_id: string;
    readonly checked: number;
    readonly wallets: number;
    readonly round_began_at: Date;
    readonly round_ended_at: Date | null;
    readonly violations: number;
    readonly broken: unknown;
    readonly at: Date;
  };
  readonly ledger_closings: {
    readonly account_id: string;
    readonly month: string;
    readonly seq: bigint;
    readonly available: bigint;
    readonly held: bigint;
    readonly cleared: bigint;
    readonly funding: bigint;
    readonly fees: bigint;
  };
  readonly ledger_month_sum_positions: {
    readonly account_id: string;
    readonly seq: bigint;
  };
  readonly ledger_month_sums: {
    readonly account_id: string;
    readonly month: string;
    readonly kind: string;
    readonly service: string;
    readonly operator: string;
    readonly credit: boolean;
    readonly transfers: bigint;
    readonly of_nothing: bigint;
    readonly amount: bigint;
  };
  readonly low_balance_alerts: {
    readonly account_id: string;
    readonly threshold: bigint | null;
    readonly emails: string[];
    readonly below: boolean;
    readonly crossed_at: Date | null;
    readonly pending_recipients: string[];
    readonly send_attempts: number;
    readonly next_attempt_at: Date;
    readonly mailed_at: Date | null;
  };
  readonly notification_reads: {
    readonly user_id: string;
    readonly notification_id: string;
    readonly read_at: Date;
  };
  readonly number_series: {
    readonly prefix: string;
    readonly operator: string;
    readonly circle: string;
  };
  readonly onboarding_documents: {
    readonly account_id: string;
    readonly document_id: string;
    readonly kind: "pan_card" | "gst_certificate" | "incorporation" | "address_proof" | "bank_proof" | "signatory_proof" | "resolution" | "agreement" | "other";
    readonly name: string;
    readonly media_type: string;
    readonly bytes: number;
    readonly digest: Buffer;
    readonly key_id: string | null;
    readonly sealed_key: Buffer | null;
    readonly content: Buffer | null;
    readonly uploaded_by: string;
    readonly uploaded_at: Date;
    readonly erased_at: Date | null;
  };
  readonly onboarding_reviews: {
    readonly account_id: string;
    readonly review_id: string;
    readonly review: "kyc" | "agreement";
    readonly decision: "approved" | "returned";
    readonly reason: string;
    readonly reviewed_by: string;
    readonly reviewer_person: string;
    readonly author_people: string[];
    readonly four_eyes: boolean;
    readonly at: Date;
  };
  readonly onboardings: {
    readonly account_id: string;
    readonly state: "draft" | "submitted" | "returned" | "completed";
    readonly company: unknown;
    readonly contacts: unknown;
    readonly version: number;
    readonly author_people: string[];
    readonly created_by: string;
    readonly created_at: Date;
    readonly updated_at: Date;
    readonly submitted_by: string | null;
    readonly submitted_at: Date | null;
    readonly completed_at: Date | null;
  };
  readonly one_time_passwords: {
    readonly account_id: string;
    readonly otp_ref: string;
    readonly purpose: string;
    readonly subject: string;
    readonly mobile: string;
    readonly minted_by: "service" | "provider" | "nobody";
    readonly code_digest: Buffer | null;
    readonly provider: string | null;
    readonly provider_otp_ref: string | null;
    readonly code_length: number;
    readonly wrong_attempts: number;
    readonly times_sent: number;
    readonly used_at: Date | null;
    readonly sent_at: Date;
    readonly expires_at: Date;
  };
  readonly operator_aliases: {
    readonly alias: string;
    readonly operator: string;
  };
  readonly operator_keys: {
    readonly key_id: string;
    readonly name: string;
    readonly digest: Buffer;
    readonly created_at: Date;
    readonly created_by: string | null;
    readonly role: "admin" | "finance" | "operations" | "support" | "auditor" | null;
    readonly expires_at: Date | null;
    readonly source_addresses: string[];
    readonly last_used_at: Date | null;
    readonly last_used_from: string | null;
  };
  readonly operators: {
    readonly operator: string;
    readonly position: number;
    readonly name: string;
    readonly kind: string;
    readonly account_label: string;
    readonly account_pattern: string;
    readonly account_example: string;
    readonly min_amount: bigint;
    readonly max_amount: bigint;
    readonly denominations: bigint[];
    readonly enabled: boolean;
  };
  readonly order_attempts: {
    readonly account_id: string;
    readonly order_id: string;
    readonly attempt: number;
    readonly provider: string;
    readonly started_at: Date;
    readonly outcome: string | null;
    readonly detail: string | null;
    readonly ended_at: Date | null;
  };
  readonly order_counts: {
    readonly minute: Date;
    readonly sandbox: boolean;
    readonly provider: string;
    readonly operator: string;
    readonly state: number;
    readonly latency_bucket: number;
    readonly orders: number;
    readonly owed: bigint;
  };
  readonly order_provider_refs: {
    readonly account_id: string;
    readonly order_id: string;
    readonly attempt: number;
    readonly provider: string;
    readonly provider_ref: string | null;
    readonly cost: bigint | null;
    readonly balance: bigint | null;
    readonly at: Date;
  };
  readonly order_references: {
    readonly account_id: string;
    readonly digest: string;
    readonly order_id: string;
  };
  readonly order_results: {
    readonly account_id: string;
    readonly order_id: string;
    readonly result: unknown;
  };
  readonly order_rollup_changes: {
    readonly account_id: string;
    readonly order_id: string;
    readonly state: number;
    readonly attempt: number;
  };
  readonly order_rollup_days: {
    readonly account_id: string;
    readonly day: Date;
    readonly dimension: "all" | "service" | "operator" | "circle" | "provider" | "reason";
    readonly name: string;
    readonly state: 0 | 1 | 2 | 3;
    readonly orders: number;
    readonly amount: bigint;
    readonly latency: number[];
  };
  readonly order_rollup_position: {
    readonly singleton: boolean;
    readonly next_order_id: string;
  };
  readonly order_rollups: {
    readonly account_id: string;
    readonly hour: Date;
    readonly service: string;
    readonly operator: string;
    readonly circle: string;
    readonly provider: string;
    readonly state: 0 | 1 | 2 | 3;
    readonly reason: string;
    readonly orders: number;
    readonly amount: bigint;
    readonly latency: number[];
  };
  readonly orders: {
    readonly account_id: string;
    readonly order_id: string;
    readonly service: string;
    readonly reference: string;
    readonly operation: string;
    readonly fingerprint: string;
    readonly state: 0 | 1 | 2;
    readonly amount: bigint;
    readonly amount_text: string;
    readonly fee: bigint;
    readonly credit: boolean;
    readonly refunded: bigint | null;
    readonly target: string;
    readonly operator: string;
    readonly circle: string | null;
    readonly provider: string;
    readonly attempt: number;
    readonly operator_ref: string | null;
    readonly reason: string | null;
    readonly answered_pending: boolean;
    readonly unanswered: boolean;
    readonly process_id: string;
    readonly created_at: Date;
    readonly updated_at: Date;
    readonly commission: bigint | null;
    readonly provider_version: number | null;
  };
  readonly orphan_searches: {
    readonly process_id: string;
    readonly from_order_id: string;
    readonly due_at: Date;
    readonly ends_at: Date;
  };
  readonly owner_notice_cursor: {
    readonly singleton: boolean;
    readonly seq: bigint;
  };
  readonly owner_notices: {
    readonly notice_id: string;
    readonly seq: bigint;
    readonly account_id: string;
    readonly recipient: string;
    readonly subject: string;
    readonly body: string;
    readonly send_attempts: number;
    readonly next_attempt_at: Date;
    readonly created_at: Date;
  };
  readonly passkey_challenges: {
    readonly challenge: string;
    readonly realm: "portal" | "console";
    readonly purpose: "register" | "sign_in" | "prove";
    readonly user_id: string | null;
    readonly expires_at: Date;
  };
  readonly passkeys: {
    readonly passkey_id: string;
    readonly user_id: string;
    readonly name: string;
    readonly credential_id: string;
    readonly public_key: Buffer;
    readonly counter: bigint;
    readonly transports: string[];
    readonly created_at: Date;
    readonly last_used_at: Date | null;
  };
  readonly password_resets: {
    readonly digest: Buffer;
    readonly user_id: string;
    readonly created_at: Date;
    readonly expires_at: Date;
  };
  readonly pending_polls: {
    readonly account_id: string;
    readonly order_id: string;
    readonly why: string;
    readonly since: Date;
    readonly polls: number;
    readonly not_found: number;
    readonly due_at: Date;
    readonly needs_human: boolean;
    readonly is_unanswered: boolean;
    readonly resends: number;
    readonly resent_at: Date | null;
  };
  readonly periodic_job_runs: {
    readonly job: string;
    readonly started_at: Date;
  };
  readonly plans: {
    readonly operator: string;
    readonly circle: string;
    readonly amount: bigint;
    readonly category: string;
    readonly validity: string;
    readonly data: string;
    readonly talktime: string;
    readonly description: string;
  };
  readonly portal_view_links: {
    readonly digest: Buffer;
    readonly user_id: string;
    readonly account_id: string;
    readonly expires_at: Date;
    readonly session_id: string | null;
  };
  readonly pricing_rules: {
    readonly rule_id: string;
    readonly account_id: string | null;
    readonly service: string | null;
    readonly operator: string | null;
    readonly fee_flat: bigint;
    readonly fee_basis_points: number;
    readonly fee_min: bigint | null;
    readonly fee_max: bigint | null;
    readonly commission_flat: bigint;
    readonly commission_basis_points: number;
    readonly commission_min: bigint | null;
    readonly commission_max: bigint | null;
    readonly valid_from: Date;
    readonly ended_at: Date | null;
    readonly reason: string;
    readonly created_by: string;
    readonly created_at: Date;
    readonly ended_by: string | null;
  };
  readonly process_reports: {
    readonly process_id: string;
    readonly at: Date;
    readonly report: unknown;
  };
  readonly processes: {
    readonly process_id: string;
    readonly host: string;
    readonly pid: number;
    readonly started_at: Date;
    readonly seen_at: Date;
    readonly oldest_open_at: Date;
    readonly clock_offset_seconds: number;
  };
  readonly provider_balances: {
    readonly provider: string;
    readonly balance: bigint | null;
    readonly at: Date | null;
    readonly declined_at: Date | null;
  };
  readonly provider_complaints: {
    readonly account_id: string;
    readonly complaint_ref: string;
    readonly provider: string;
    readonly provider_complaint_ref: string | null;
    readonly tries: number;
    readonly next_at: Date;
    readonly last_answer: string;
  };
  readonly provider_exchanges: {
    readonly account_id: string;
    readonly order_id: string;
    readonly exchange_id: string;
    readonly attempt: number;
    readonly provider: string;
    readonly operation: string;
    readonly at: Date;
    readonly milliseconds: number;
    readonly request: string;
    readonly reply: string | null;
    readonly problem: string | null;
  };
  readonly provider_lists: {
    readonly provider: string;
    readonly name: string;
    readonly key: string;
    readonly value: unknown;
    readonly items: number;
    readonly refreshed_at: Date | null;
    readonly checked_at: Date | null;
    readonly failure: string | null;
    readonly failing_since: Date | null;
    readonly failures: number;
    readonly due_at: Date;
    readonly accept_smaller: boolean;
    readonly leased_until: Date | null;
  };
  readonly provider_references: {
    readonly provider: string;
    readonly reference: string;
    readonly subject: string;
  };
  readonly provider_routes: {
    readonly service: string;
    readonly operator: string;
    readonly provider: string;
    readonly priority: number;
    readonly weight: number;
    readonly enabled: boolean;
  };
  readonly provider_state: {
    readonly state_id: string;
    readonly provider: string;
    readonly key_id: string;
    readonly sealed: Buffer;
    readonly changed_at: Date;
  };
  readonly provider_version_differences: {
    readonly difference_id: string;
    readonly provider: string;
    readonly version: number;
    readonly at: Date;
    readonly operation: string;
    readonly reference: string;
    readonly fields: unknown;
  };
  readonly provider_versions: {
    readonly provider: string;
    readonly version: number;
    readonly connector: string;
    readonly settings: unknown;
    readonly created_at: Date;
    readonly created_by: string;
    readonly reason: string | null;
    readonly retired_at: Date | null;
    readonly compared: bigint;
    readonly differing: bigint;
    readonly secrets_changed_at: Date | null;
  };
  readonly providers: {
    readonly provider: string;
    readonly connector: "simulator" | "description" | "corprail" | "plugin";
    readonly settings: unknown;
    readonly secret_key_id: string | null;
    readonly secret: Buffer | null;
    readonly enabled: boolean;
    readonly created_at: Date;
    readonly version: number;
    readonly candidate_version: number | null;
    readonly candidate_percent: number;
  };
  readonly rate_limit_windows: {
    readonly account_id: string;
    readonly budget: number;
    readonly second: bigint;
    readonly total: number;
    readonly counts: number[];
  };
  readonly reconciliation_file_parts: {
    readonly reconciliation_id: string;
    readonly part: number;
    readonly content: Buffer;
  };
  readonly reconciliation_items: {
    readonly reconciliation_id: string;
    readonly item: number;
    readonly line_text: string | null;
    readonly reference: string | null;
    readonly provider_reference: string | null;
    readonly amount: bigint | null;
    readonly status: 0 | 1 | 2 | null;
    readonly outcome: "matched" | "differing" | "missing_here" | "missing_there" | "archived" | "duplicate" | "unclear" | null;
    readonly why: string | null;
    readonly account_id: string | null;
    readonly order_id: string | null;
    readonly here_amount: bigint | null;
    readonly here_status: 0 | 1 | 2 | null;
    readonly attempt: number | null;
    readonly taken_back: boolean;
    readonly can_settle: boolean;
    readonly resolved_at: Date | null;
    readonly resolved_by: string | null;
    readonly note: string | null;
    readonly settled_at: Date | null;
    readonly version: number;
  };
  readonly reconciliation_mappings: {
    readonly provider: string;
    readonly mapping: unknown;
    readonly updated_by: string;
    readonly updated_at: Date;
  };
  readonly reconciliation_selected_items: {
    readonly reconciliation_id: string;
    readonly selection_id: string;
    readonly item: number;
    readonly version: number;
  };
  readonly reconciliations: {
    readonly reconciliation_id: string;
    readonly provider: string;
    readonly day: Date;
    readonly name: string;
    readonly bytes: bigint;
    readonly digest: Buffer | null;
    readonly shape: unknown;
    readonly mapping: unknown;
    readonly job_id: string | null;
    readonly counts: unknown;
    readonly open: bigint;
    readonly created_by: string;
    readonly created_at: Date;
    readonly finished_at: Date | null;
  };
  readonly recovery_codes: {
    readonly user_id: string;
    readonly digest: Buffer;
  };
  readonly refused_provider_callbacks: {
    readonly refusal_id: string;
    readonly provider: string;
    readonly at: Date;
    readonly reason: string;
    readonly authentic: boolean;
    readonly method: string;
    readonly source: string;
    readonly reference: string | null;
    readonly excerpt: string;
  };
  readonly request_nonces: {
    readonly account_id: string;
    readonly nonce: string;
    readonly expires_at: bigint;
  };
  readonly sandbox_accounts: {
    readonly account_id: string;
    readonly sandbox_id: string;
    readonly created_at: Date;
  };
  readonly schema_migrations: {
    readonly version: number;
    readonly name: string;
    readonly checksum: string;
    readonly applied_at: Date;
    readonly needs: number | null;
  };
  readonly services: {
    readonly service: string;
    readonly position: number;
    readonly name: string;
    readonly transaction: string;
    readonly enabled: boolean;
    readonly opens_at: string | null;
    readonly closes_at: string | null;
  };
  readonly sessions: {
    readonly session_id: string;
    readonly digest: Buffer;
    readonly user_id: string;
    readonly stage: "half" | "enrol" | "full";
    readonly proved_at: Date;
    readonly address: string;
    readonly user_agent: string;
    readonly created_at: Date;
    readonly last_seen_at: Date;
    readonly expires_at: Date;
    readonly view_account_id: string | null;
    readonly parent_session_id: string | null;
    readonly identity_provider_id: string | null;
    readonly identity_subject: string | null;
    readonly identity_session_id: string | null;
  };
  readonly sign_in_attempts: {
    readonly scope: string;
    readonly key: Buffer;
    readonly count: number;
    readonly window_started_at: Date;
  };
  readonly sign_on_domains: {
    readonly realm: "portal" | "console";
    readonly domain: string;
    readonly account_id: string | null;
  };
  readonly sign_on_requests: {
    readonly digest: Buffer;
    readonly realm: "portal" | "console";
    readonly provider_id: string;
    readonly session_id: string | null;
    readonly redirect_uri: string;
    readonly next_path: string;
    readonly created_at: Date;
    readonly expires_at: Date;
  };
  readonly signed_day_marks: {
    readonly account_id: string;
    readonly day: Date;
    readonly part: number;
    readonly marks: Buffer;
  };
  readonly signed_days: {
    readonly account_id: string;
    readonly day: Date;
    readonly number: bigint;
    readonly first_seq: bigint;
    readonly last_seq: bigint;
    readonly closing_balance: bigint;
    readonly root: Buffer;
    readonly hash: Buffer;
    readonly signed_text: string;
    readonly signature: Buffer;
    readonly key_id: string;
    readonly cell: number;
  };
  readonly signing_keys: {
    readonly key_id: string;
    readonly public_key: string;
    readonly secret_key_id: string;
    readonly secret: Buffer;
    readonly created_at: Date;
  };
  readonly signing_runs: {
    readonly run: bigint;
    readonly day: Date;
    readonly accounts: number;
    readonly lines: bigint;
    readonly hash: Buffer;
    readonly signed_text: string;
    readonly signature: Buffer;
    readonly key_id: string;
    readonly signed_at: Date;
  };
  readonly staff_access_grants: {
    readonly person: string;
    readonly granted_by: string;
    readonly how: "invited" | "role_changed" | "enabled" | "second_factor_reset" | "single_sign_on";
    readonly at: Date;
  };
  readonly status_days: {
    readonly component: string;
    readonly day: Date;
    readonly samples: number;
    readonly degraded: number;
    readonly down: number;
  };
  readonly status_events: {
    readonly event_id: string;
    readonly kind: "incident" | "maintenance";
    readonly title: string;
    readonly components: string[];
    readonly state: string;
    readonly starts_at: Date;
    readonly ends_at: Date | null;
    readonly created_by: string;
    readonly created_at: Date;
    readonly updated_at: Date;
  };
  readonly status_notices: {
    readonly update_id: string;
    readonly subscription_id: string;
    readonly attempts: number;
    readonly next_attempt_at: Date;
  };
  readonly status_settings: {
    readonly singleton: boolean;
    readonly visibility: "public" | "clients" | "off";
  };
  readonly status_subscriptions: {
    readonly subscription_id: string;
    readonly user_id: string | null;
    readonly account_id: string | null;
    readonly url: string | null;
    readonly created_by: string;
    readonly created_at: Date;
  };
  readonly status_updates: {
    readonly event_id: string;
    readonly update_id: string;
    readonly state: string;
    readonly text: string;
    readonly written_by: string;
    readonly at: Date;
  };
  readonly transfer_beneficiaries: {
    readonly account_id: string;
    readonly beneficiary_id: string;
    readonly sender: string;
    readonly name: string;
    readonly mobile: string | null;
    readonly bank: string;
    readonly bank_name: string;
    readonly ifsc: string;
    readonly account_masked: string;
    readonly account_key_id: string;
    readonly account_sealed: Buffer;
    readonly account_digest: Buffer;
    readonly status: "OTP_PENDING" | "ACTIVE" | "DELETED";
    readonly created_at: Date;
  };
  readonly transfer_kinds: {
    readonly kind: string;
    readonly from_bucket: string;
    readonly to_bucket: string;
  };
  readonly transfer_penny_drops: {
    readonly account_id: string;
    readonly order_id: string;
    readonly beneficiary_id: string;
    readonly archived_name: string | null;
  };
  readonly transfer_provider_beneficiaries: {
    readonly account_id: string;
    readonly beneficiary_id: string;
    readonly provider: string;
    readonly beneficiary_ref: string;
    readonly status: "OTP_PENDING" | "ACTIVE";
    readonly updated_at: Date;
  };
  readonly transfer_provider_senders: {
    readonly account_id: string;
    readonly mobile: string;
    readonly provider: string;
    readonly status: "OTP_PENDING" | "VERIFIED" | "BLOCKED";
    readonly updated_at: Date;
  };
  readonly transfer_quotes: {
    readonly account_id: string;
    readonly transfer_ref: string;
    readonly sender: string;
    readonly beneficiary_id: string;
    readonly mode: "IMPS" | "NEFT";
    readonly amount: bigint;
    readonly amount_text: string;
    readonly fee: bigint;
    readonly provider: string | null;
    readonly created_at: Date;
    readonly expires_at: Date;
    readonly order_id: string | null;
    readonly used_month: string | null;
  };
  readonly transfer_references: {
    readonly account_id: string;
    readonly reference: string;
    readonly seq: bigint;
    readonly kind: string;
    readonly amount: bigint;
  };
  readonly transfer_senders: {
    readonly account_id: string;
    readonly mobile: string;
    readonly first_name: string;
    readonly last_name: string | null;
    readonly pincode: string;
    readonly status: "OTP_PENDING" | "VERIFIED" | "BLOCKED";
    readonly created_at: Date;
  };
  readonly transfer_settings: {
    readonly singleton: boolean;
    readonly min_amount: bigint;
    readonly max_amount: bigint;
    readonly month_limit: bigint;
    readonly fee_basis_points: bigint;
    readonly fee_least: bigint;
    readonly penny_drop_fee: bigint;
  };
  readonly transfers: {
    readonly account_id: string;
    readonly seq: bigint;
    readonly kind: string;
    readonly from_bucket: "available" | "held" | "cleared" | "funding" | "fees";
    readonly to_bucket: "available" | "held" | "cleared" | "funding" | "fees";
    readonly amount: bigint;
    readonly available_after: bigint;
    readonly order_id: string | null;
    readonly reference: string | null;
    readonly narration: string;
    readonly at: Date;
  };
  readonly unapproved_amount_locks: {
    readonly person: string;
    readonly area: string;
    readonly account_id: string;
    readonly at: Date;
  };
  readonly unapproved_amounts: {
    readonly person: string;
    readonly area: "wallet" | "order";
    readonly account_id: string;
    readonly about: string;
    readonly amount: bigint;
    readonly at: Date;
  };
  readonly used_logout_tokens: {
    readonly provider_id: string;
    readonly jti: string;
    readonly expires_at: Date;
  };
  readonly user_identities: {
    readonly provider_id: string;
    readonly issuer: string;
    readonly subject: string;
    readonly user_id: string;
    readonly created_at: Date;
    readonly last_used_at: Date;
  };
  readonly user_totps: {
    readonly user_id: string;
    readonly key_id: string;
    readonly sealed: Buffer;
    readonly confirmed_at: Date | null;
    readonly last_step: bigint;
    readonly created_at: Date;
  };
  readonly users: {
    readonly user_id: string;
    readonly realm: "portal" | "console";
    readonly account_id: string | null;
    readonly email: string;
    readonly name: string;
    readonly role: string;
    readonly language: string | null;
    readonly password_hash: string | null;
    readonly disabled_at: Date | null;
    readonly break_glass: boolean;
    readonly break_glass_used_at: Date | null;
    readonly created_at: Date;
    readonly updated_at: Date;
  };
  readonly wallets: {
    readonly account_id: string;
    readonly available: bigint;
    readonly held: bigint;
    readonly cleared: bigint;
    readonly funding: bigint;
    readonly fees: bigint;
    readonly overdraft: bigint;
    readonly seq: bigint;
    readonly day: Date;
    readonly day_total: bigint;
    readonly moved_to: number | null;
  };
  readonly work_items: {
    readonly account_id: string;
    readonly kind: "complaint" | "order" | "alert";
    readonly item_id: string;
    readonly assigned_to: string | null;
    readonly assigned_by: string;
    readonly assigned_at: Date;
  };
  readonly work_notes: {
    readonly account_id: string;
    readonly kind: "complaint" | "order" | "alert";
    readonly item_id: string;
    readonly note_id: string;
    readonly event: "note" | "assigned" | "released";
    readonly author: string;
    readonly text: string;
    readonly assigned_to: string | null;
    readonly notifies: string[];
    readonly at: Date;
  };
};

/** A row of a table or view, as the driver returns it. */
export type Row<Name extends keyof Rows> = Rows[Name];
