import type { ReactNode } from "react";
import { Badge } from "../../ui/badge.tsx";
import { countText } from "../../ui/format.ts";
import { Card } from "../../ui/page.tsx";
import type { Mapping, Preview } from "./data.ts";

const USES: readonly (readonly [keyof Mapping, string])[] = [
  ["reference", "Our order id"],
  ["provider_reference", "Its reference"],
  ["amount", "Amount"],
  ["status", "Status"],
];

/** The beginning of the file, with what each column is taken for. */
export function FirstRows({ preview, mapping }: { readonly preview: Preview; readonly mapping: Mapping }): ReactNode {
  const takenFor = (name: string) => USES.find(([use]) => mapping[use] === name)?.[1];
  return (
    <Card title={`The first of ${countText(preview.rows)} rows`} flush>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section aria-label="First rows of the file" tabIndex={0} className="overflow-x-auto">
        <table className="w-full border-collapse text-left">
          <thead>
            <tr className="border-line border-y bg-sunken text-soft text-xs">
              <th scope="col" className="px-3 py-2 pl-5 text-right align-top font-medium">
                Line
              </th>
              {preview.columns.map(({ name }) => {
                const use = takenFor(name);
                return (
                  <th key={name} scope="col" className="whitespace-nowrap px-3 py-2 align-top font-medium">
                    {name}
                    {use !== undefined && (
                      <span className="mt-1 block">
                        <Badge tone="accent">{use}</Badge>
                      </span>
                    )}
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {preview.examples.map(({ line, cells }) => (
              <tr key={line} className="border-line border-b last:border-b-0">
                <td className="px-3 py-2 pl-5 text-right text-soft tabular-nums">{line}</td>
                {preview.columns.map(({ name }, place) => (
                  <td key={name} className="whitespace-nowrap px-3 py-2 font-mono text-[0.8125rem]">
                    {cells[place]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
}
