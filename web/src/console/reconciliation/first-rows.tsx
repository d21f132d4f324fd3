import type { ReactNode } from "react";
import { Badge } from "../../ui/formats/badge.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Card } from "../../ui/page.tsx";
import type { Mapping, Preview } from "./data.ts";

const USES: readonly (readonly [keyof Mapping, string])[] = [
  ["reference", "Our order id"],
  ["provider_reference", "Provider reference"],
  ["amount", "Amount"],
  ["status", "Status"],
];

/** The first rows of the file, with the meaning of each column. */
export function FirstRows({ preview, mapping }: { readonly preview: Preview; readonly mapping: Mapping }): ReactNode {
  const meaningOf = (name: string) => USES.find(([use]) => mapping[use] === name)?.[1];
  return (
    <Card title={`First of ${countText(preview.rows)} rows`} flush>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <section aria-label="First rows of the file" tabIndex={0} className="overflow-x-auto">
        <table className="w-full border-collapse text-left">
          <thead>
            <tr className="border-line border-y bg-sunken text-soft text-xs">
              <th scope="col" className="px-3 py-2 pl-5 text-right align-top font-medium">
                Line
              </th>
              {preview.columns.map(({ name }) => {
                const use = meaningOf(name);
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
                {preview.columns.map(({ name }, index) => (
                  <td key={name} className="whitespace-nowrap px-3 py-2 font-mono text-[0.8125rem]">
                    {cells[index]}
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
