import { Outlet } from "@tanstack/react-router";
import { KeyRound, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { useList } from "../api.ts";
import { ADMINS, useMay } from "../session.ts";
import { KeyExpiry } from "./expiry.tsx";
import { effectiveAccessText, type Key } from "./key.ts";
import { NewKey } from "./new-key.tsx";

const COLUMNS: readonly Column<Key>[] = [
  { header: "Name", cell: (key) => key.name },
  { header: "Id", cell: (key) => <code className="font-mono text-xs">{key.key_id}</code>, wideOnly: true },
  { header: "Access", cell: (key) => effectiveAccessText(key) },
  { header: "Last used", cell: (key) => <Time value={key.last_used_at} none="Never" /> },
  { header: "Expires", cell: (key) => <KeyExpiry operatorKey={key} />, wideOnly: true },
  { header: "Created", cell: (key) => <Time value={key.created_at} />, wideOnly: true },
];

const EXAMPLE = `curl -H "Authorization: Bearer opk_..." ${location.origin}/api/operator/v1/accounts`;

export function KeysPage(): ReactNode {
  const list = useList("/keys");
  const admin = useMay(ADMINS);
  const [creating, setCreating] = useState(false);
  const make = (
    <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
      New key
    </Button>
  );
  return (
    <>
      <PageHeader title="Keys" {...(admin ? { actions: make } : {})}>
        Operator keys for your own programs. A key can make every call that this console makes, unless it is limited to a role. It never
        does more than the current role of the person who created it allows. That person is responsible for its use.
      </PageHeader>
      <Card flush>
        <ListTable
          label="Operator keys"
          list={list}
          columns={COLUMNS}
          rowKey={(key) => key.key_id}
          link={(key) => ({ to: "/keys/$keyId", params: { keyId: key.key_id } })}
          empty={
            <EmptyState icon={KeyRound} code={EXAMPLE} codeTitle="Call the operator API with a key">
              Keys for your own programs will appear here. Create one with “New key”.
            </EmptyState>
          }
        />
      </Card>
      {creating && <NewKey onClose={() => setCreating(false)} />}
      <Outlet />
    </>
  );
}
