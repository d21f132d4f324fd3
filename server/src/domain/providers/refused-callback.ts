/** Why a provider's message was not taken in. */
export const CALLBACK_REFUSALS = {
  unknown_provider: "The address names no provider of this installation.",
  not_expected: "This provider's description says nothing about callbacks, or the provider is not set up completely.",
  wrong_key: "The key or signature is wrong or missing. Compare the secret that is saved here with the provider's.",
  unreadable: "The message is not in the form that the description says.",
  no_reference: "The message has no reference at the place that the description names.",
  stale: "The message's time is more than five minutes from ours.",
  replayed: "The same message was taken in before.",
  unknown_status: "The description does not say what this status means. Add it, and ask about the order again.",
  unknown_reference: "There is no order with this reference.",
  other_provider: "The order with this reference is with another provider.",
  contradicts: "The provider reports success for an order that is FAILED here: reconcile it with the provider.",
} as const satisfies Record<string, string>;

export type CallbackRefusalReason = keyof typeof CALLBACK_REFUSALS;

/** `authentic`: it proved with the provider's secret that it is the provider's. */
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
