import type { Option } from "../ui/field.tsx";

/** Order statuses as pages name them. FAILED after SUCCESS reads "Reversed". */
export const STATUS_OPTIONS: readonly Option[] = [
  { value: "SUCCESS", label: "Success" },
  { value: "FAILED", label: "Failed" },
  { value: "pending", label: "Pending" },
  { value: "Reversed", label: "Reversed" },
];
