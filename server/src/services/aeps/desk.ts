/** What a provider does for this service beside its transactions. */
export type AepsDesk = Readonly<Record<string, never>>;
