import { z } from "zod";
import { moneyText, timeText } from "../output-fields.ts";

/** A wallet entry as its owner sees it. */
export const walletEntryOutput = z
  .strictObject({
    entry_id: z.string(),
    kind: z.string(),
    amount: moneyText,
    balance_after: moneyText,
    order_id: z.string().nullable(),
    urid: z.string().nullable(),
    service: z.string().nullable(),
    operator: z.string().nullable(),
    account: z.string().nullable(),
    note: z.string().nullable(),
    at: timeText,
  })
  .meta({ id: "WalletEntry" });
