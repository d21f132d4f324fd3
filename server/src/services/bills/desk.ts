/** What a provider does for this service beside its transactions. */
export type BillsDesk = Readonly<Record<string, never>>;
