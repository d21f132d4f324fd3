/** Why a provider's callback was refused. */
export const CALLBACK_REFUSALS = {
  unknown_provider: "The address names no provider of this installation.",
  not_expected:
    "No callback of this provider has this path and method, or the provider is not completely configured. Compare the address that the provider calls with the path and method under callbacks.",
  wrong_key: "The key or signature is wrong or missing. Compare the stored secret with the provider's.",
  unreadable: "The message is too large, contains a NUL character, or does not have the format that the description defines.",
  no_reference: "The message has no reference at the position that the description names.",
  stale: "The message's time differs from ours by more than five minutes.",
  replayed: "The same message was received before.",
  unknown_status: "The description does not define this status. Add the status, then query the order again.",
  unknown_reference: "There is no order with this reference.",
  other_provider: "The order with this reference is with another provider.",
  differs:
    "The message reports a success, but differs from the order, for example in the amount. The order stays pending and shows the difference.",
  contradicts: "The provider reports a result that differs from the order's final status. Ask the provider which one is right.",
} as const satisfies Record<string, string>;

export type CallbackRefusalReason = keyof typeof CALLBACK_REFUSALS;

/** `authentic`: the message was authenticated with the provider's secret. */
export type CallbackRefusal = {
  readonly refused: CallbackRefusalReason;
  readonly authentic: boolean;
  readonly reference: string | null;
};

export function refusedCallback(refused: CallbackRefusalReason, authentic = false, reference: string | null = null): CallbackRefusal {
  return { refused, authentic, reference };
}

export function isRefusal<Taken extends object>(reading: Taken | CallbackRefusal): reading is CallbackRefusal {
  return "refused" in reading;
}
