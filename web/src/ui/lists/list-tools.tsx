import { useRouter } from "@tanstack/react-router";
import { Check, Columns3 } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { fill } from "../../messages/fill.ts";
import { countText } from "../formats/format.ts";
import { menuClasses, menuItemClasses } from "../menu-classes.ts";
import { useStored } from "../stored.ts";

type Named = { readonly header: string };

type ChosenColumns<OneColumn extends Named> = {
  /** Those that are shown. The first one, which links to the row's drawer, always is. */
  readonly columns: readonly OneColumn[];
  readonly all: readonly OneColumn[];
  readonly toggle: (header: string) => void;
};

function readHidden(stored: unknown): readonly string[] {
  return Array.isArray(stored) ? stored.map(String) : [];
}

/** The columns of a table without those that the user has hidden. This browser keeps the choice. */
export function useColumns<OneColumn extends Named>(table: string, all: readonly OneColumn[]): ChosenColumns<OneColumn> {
  const { basepath } = useRouter();
  const [hidden, setHidden] = useStored(`corprail-hidden-columns ${basepath} ${table}`, readHidden);
  return {
    columns: all.filter(({ header }, index) => index === 0 || !hidden.includes(header)),
    all,
    toggle: (header) => setHidden(hidden.includes(header) ? hidden.filter((one) => one !== header) : [...hidden, header]),
  };
}

type ListToolsProps = {
  readonly chosen: ChosenColumns<Named>;
  readonly count: number;
  /** How many rows there are in all, where that is known. */
  readonly total?: number | undefined;
  readonly hasMore: boolean;
  readonly isSorted: boolean;
};

/** How many rows are shown, and the choice of columns on wide screens. */
export function ListTools({ chosen, count, total, hasMore, isSorted }: ListToolsProps): ReactNode {
  return (
    <div className="flex min-h-10 items-center justify-between gap-3 px-3 text-soft text-xs sm:px-5">
      <p role="status">{shownText({ count, total, hasMore, isSorted })}</p>
      {chosen.all.length > 2 && <ColumnMenu chosen={chosen} />}
    </div>
  );
}

function shownText({ count, total, hasMore, isSorted }: Omit<ListToolsProps, "chosen">): string {
  if (!hasMore) return fill(uiText.rowsShown, { count: countText(count) });
  if (isSorted) return fill(uiText.sortedAmongShown, { count: countText(count) });
  // The total can be older than the rows.
  if (total === undefined || total <= count) return fill(uiText.rowsShownAndMore, { count: countText(count) });
  return fill(uiText.rowsOfTotalShown, { count: countText(count), total: countText(total) });
}

function ColumnMenu({ chosen }: { readonly chosen: ChosenColumns<Named> }): ReactNode {
  const shown = new Set(chosen.columns.map(({ header }) => header));
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <button
          type="button"
          title={uiText.chooseColumns}
          className="hidden min-h-8 items-center gap-1.5 rounded-md px-2 font-medium hover:bg-sunken hover:text-ink sm:inline-flex"
        >
          <Columns3 aria-hidden className="size-4" />
          {uiText.columns}
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="end" sideOffset={6} className={menuClasses}>
          {chosen.all.slice(1).map(({ header }) => (
            <DropdownMenu.CheckboxItem
              key={header}
              checked={shown.has(header)}
              onCheckedChange={() => chosen.toggle(header)}
              // Several columns can be chosen before the menu closes.
              onSelect={(event) => event.preventDefault()}
              className={menuItemClasses}
            >
              <span className="flex size-4 items-center justify-center">
                <DropdownMenu.ItemIndicator>
                  <Check aria-hidden className="size-4" />
                </DropdownMenu.ItemIndicator>
              </span>
              {header}
            </DropdownMenu.CheckboxItem>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
