/** A text that is one of these today; later ones come through as they are. */
export type Open<Known extends string> = Known | (string & {});

export type ServiceName = Open<"recharge" | "bills" | "transfers" | "bus" | "aeps">;

/** One of these references, not two: the service refuses both at once. */
export type ExactlyOne<Names extends string> = {
  readonly [Name in Names]: { readonly [Own in Name]: string } & { readonly [Other in Exclude<Names, Name>]?: never };
}[Names];

/** India days, `YYYY-MM-DD`, both included; the last 7 unless set, at most 31. */
export type DayRange = { readonly from?: string | undefined; readonly to?: string | undefined };

/** What a signed service says of a transaction besides the common fields. Times are India time, `YYYY-MM-DD HH:MM:SS`. */
export type SignedExtra = {
  readonly requestId: string;
  readonly service: ServiceName;
  /** The wallet pays `amount` and `fee`. */
  readonly fee: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};
