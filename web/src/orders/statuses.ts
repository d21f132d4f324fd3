import type { Option } from "../ui/field.tsx";

/** How an order stands, as people read it: FAILED after SUCCESS is "Reversed". */
export const STATUS_OPTIONS: readonly Option[] = [
  { value: "SUCCESS", label: "Success" },
  { value: "FAILED", label: "Failed" },
  { value: "pending", label: "Pending" },
  { value: "Reversed", label: "Reversed" },
];
