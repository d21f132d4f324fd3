/** What a provider does for this service beside its transactions. */
export type TransfersDesk = Readonly<Record<string, never>>;
