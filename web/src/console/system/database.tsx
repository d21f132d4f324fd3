import type { ReactNode } from "react";
import { durationText } from "../../ui/formats/format.ts";
import { Time } from "../../ui/formats/time.tsx";
import { Card, Facts } from "../../ui/page.tsx";
import { type System, sizeText } from "./data.ts";

const ROTATIONS = {
  none: "Not running",
  running: "Running",
  unfinished: "Interrupted. Run corprail rotate-key again",
} as const;

/** The state of PostgreSQL, its migrations and the master key. */
export function DatabaseCards({ system: { database, master_key: key } }: { readonly system: System }): ReactNode {
  const oldest = database.oldest_transaction_seconds;
  const [latest] = database.migrations;
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <Card title="Database">
        <Facts
          facts={[
            ["PostgreSQL", database.version],
            ["Size", sizeText(database.size_bytes)],
            ["Connections", `${database.connections} of ${database.max_connections}`],
            ["Oldest transaction", oldest === null ? "None open" : durationText(oldest)],
            ["Migrations", `${database.migrations.length} applied${latest ? `, the latest ${latest.version} ${latest.name}` : ""}`],
            ["Missing migrations", database.missing_migrations.length === 0 ? "None" : database.missing_migrations.join(", ")],
          ]}
        />
        <details className="mt-4">
          <summary className="cursor-pointer font-medium">All migrations</summary>
          <ol className="mt-2 space-y-1">
            {database.migrations.map(({ version, name, applied_at }) => (
              <li key={version} className="flex flex-wrap justify-between gap-x-4">
                <span>
                  {version} {name.replaceAll("_", " ")}
                </span>
                <Time value={applied_at} />
              </li>
            ))}
          </ol>
        </details>
      </Card>
      <Card title="Master key" hint="Encrypts tokens and secrets. Keep a copy separate from the database backup.">
        {key === null ? (
          <p>This process does not have the master key.</p>
        ) : (
          <Facts
            facts={[
              ["Key", <code key="id">{key.key_id}</code>],
              ["In use since", <Time key="since" value={key.since} />],
              ["Age", key.age_days === 1 ? "1 day" : `${key.age_days} days`],
              ["Rotation", ROTATIONS[key.rotation]],
            ]}
          />
        )}
      </Card>
    </div>
  );
}
