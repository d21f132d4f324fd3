import { type ReactNode, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { classes } from "../../../ui/classes.ts";
import { Badge } from "../../../ui/formats/badge.tsx";
import type { Outline, Section, ServiceOutline } from "./outline.ts";
import { serviceOf } from "./outline.ts";

type OutlineProps = {
  readonly outline: Outline;
  /** The label of the section that the form shows. */
  readonly current: string;
  /** Operations that can still be added. */
  readonly addable: readonly string[];
  /** False while the text is not valid JSON. */
  readonly canAdd: boolean;
  readonly onShow: (section: Section) => void;
  readonly onAdd: (operation: string) => void;
};

const SERVICE_NAMES: Readonly<Record<string, string>> = {
  recharge: "Recharge",
  bills: "Bills",
  transfers: "Transfers",
  bus: "Bus",
  aeps: "AEPS",
  other: "Other",
};

/** The sections of a description. Each is a button that shows it in the form and leads to its place in the text. */
export function OutlineView({ outline: { sections, services }, current, addable, canAdd, onShow, onAdd }: OutlineProps): ReactNode {
  return (
    <nav aria-label="Sections" className="space-y-2 rounded-lg border border-line bg-sunken p-3">
      <SectionList sections={sections} current={current} onShow={onShow} />
      {services.map((service) => (
        <Service key={service.service} service={service} current={current} onShow={onShow} />
      ))}
      {addable.length > 0 && <AddOperation names={addable} canAdd={canAdd} onAdd={onAdd} />}
    </nav>
  );
}

type SectionListProps = { readonly sections: readonly Section[] } & Pick<OutlineProps, "current" | "onShow">;

function SectionList({ sections, current, onShow }: SectionListProps): ReactNode {
  return (
    <ul className="flex min-w-0 flex-wrap gap-1">
      {sections.map((section) => (
        <li key={section.label}>
          <button
            type="button"
            aria-current={section.label === current}
            title={section.at === null ? "The description does not have this section yet." : undefined}
            onClick={() => onShow(section)}
            className={classes(
              "flex min-h-8 items-center gap-1.5 rounded-md border px-2 text-[0.8125rem] hover:border-line-strong",
              section.label === current ? "border-accent bg-accent-tint font-medium" : "border-line bg-surface",
              section.at === null && "border-dashed text-soft",
            )}
          >
            {section.label}
            {section.faults > 0 && <Badge tone="bad">{section.faults === 1 ? "1 error" : `${section.faults} errors`}</Badge>}
          </button>
        </li>
      ))}
    </ul>
  );
}

type ServiceProps = { readonly service: ServiceOutline } & Pick<OutlineProps, "current" | "onShow">;

function Service({ service, current, onShow }: ServiceProps): ReactNode {
  const { operations, missing } = service;
  return (
    <section aria-label={SERVICE_NAMES[service.service]} className="border-line border-t pt-2">
      <h3 className="mb-1 flex flex-wrap items-center gap-2 font-medium">
        {SERVICE_NAMES[service.service]}
        {service.service !== "other" &&
          (missing.length === 0 ? <Badge tone="good">Complete</Badge> : <Badge tone="wait">Incomplete</Badge>)}
      </h3>
      <SectionList sections={operations} current={current} onShow={onShow} />
      {missing.length > 0 && <p className="mt-1 break-words text-soft text-xs">To be routable it still needs: {missing.join("; ")}.</p>}
    </section>
  );
}

type AddOperationProps = { readonly names: readonly string[] } & Pick<OutlineProps, "canAdd" | "onAdd">;

function AddOperation({ names, canAdd, onAdd }: AddOperationProps): ReactNode {
  const [chosen, setChosen] = useState("");
  const name = names.includes(chosen) ? chosen : (names[0] ?? "");
  const services = [...new Set(names.map(serviceOf))];
  return (
    <div className="flex flex-wrap gap-2 border-line border-t pt-2">
      <select
        aria-label="Operation to add"
        className="input min-w-0 flex-1 basis-40"
        value={name}
        onChange={(event) => setChosen(event.target.value)}
      >
        {services.map((service) => (
          <optgroup key={service} label={SERVICE_NAMES[service] ?? service}>
            {names
              .filter((one) => serviceOf(one) === service)
              .map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
      <Button disabled={!canAdd} onClick={() => onAdd(name)}>
        Add operation
      </Button>
    </div>
  );
}
