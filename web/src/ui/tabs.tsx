import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

type Tab = { readonly value: string; readonly label: string; readonly content: ReactNode };

/** Tabs. Take `value` and `onChange` from the search parameters to keep the choice in the URL; an unknown value is the first tab. */
export function Tabs({
  label,
  tabs,
  value,
  onChange,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const chosen = tabs.find((tab) => tab.value === value) ?? tabs[0];
  return (
    <Radix.Root value={chosen?.value ?? ""} onValueChange={onChange}>
      <Radix.List aria-label={label} className="mb-4 flex flex-wrap gap-x-1 border-line border-b">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px min-h-10 whitespace-nowrap border-transparent border-b-2 px-3 font-medium text-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink focus-visible:-outline-offset-2"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
