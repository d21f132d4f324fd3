/** The simulator's result by the last three digits of the number (contract, section 9). */
export const SIMULATED_RESULTS = [
  { digits: "000", meaning: "SUCCESS at once" },
  { digits: "102", meaning: "FAILED at once" },
  { digits: "200", meaning: "pending, then SUCCESS" },
  { digits: "202", meaning: "pending, then FAILED" },
  { digits: "110", meaning: "pending until you settle it here" },
  { digits: "120", meaning: "SUCCESS, then reversed" },
  { digits: "130", meaning: "no answer: pending, then SUCCESS after polling" },
  { digits: "131", meaning: "no answer: pending, then FAILED after polling" },
  { digits: "140", meaning: "the connection is refused: FAILED, because no other provider is left" },
  { digits: "141", meaning: "an unreadable answer: pending, then SUCCESS after polling" },
  { digits: "150", meaning: "SUCCESS after two seconds" },
] as const;
