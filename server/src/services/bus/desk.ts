/** What a provider does for this service beside its transactions. */
export type BusDesk = Readonly<Record<string, never>>;
