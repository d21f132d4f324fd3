import { Outlet } from "@tanstack/react-router";
import { KeyRound, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { type Column, ListTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { useList } from "../../ui/list.ts";
import { Card, PageHeader } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { ADMINS, useMay } from "../session.ts";
import type { Key } from "./key.ts";
import { NewKey } from "./new-key.tsx";

const COLUMNS: readonly Column<Key>[] = [
  { header: "Name", cell: (key) => key.name },
  { header: "Id", cell: (key) => <code className="font-mono text-xs">{key.key_id}</code>, wideOnly: true },
  { header: "Made", cell: (key) => <Time value={key.created_at} /> },
];

const EXAMPLE = `curl -H "Authorization: Bearer opk_..." ${location.origin}/api/operator/v1/accounts`;

export function KeysPage(): ReactNode {
  const list = useList<Key>("/keys");
  const admin = useMay(ADMINS);
  const [making, setMaking] = useState(false);
  const make = (
    <Button look="primary" icon={Plus} onClick={() => setMaking(true)}>
      New key
    </Button>
  );
  return (
    <>
      <PageHeader title="Keys" {...(admin ? { actions: make } : {})}>
        Operator keys, for programs of yours: each of them may make every call that this console makes. Whoever makes one answers for what
        is done with it.
      </PageHeader>
      <Card flush>
        <ListTable
          label="Operator keys"
          list={list}
          columns={COLUMNS}
          rowKey={(key) => key.key_id}
          link={(key) => ({ to: "/keys/$keyId", params: { keyId: key.key_id } })}
          empty={
            <EmptyState icon={KeyRound} code={EXAMPLE} codeTitle="What a key is for">
              Keys for your own programs will stand here. Make one with “New key”.
            </EmptyState>
          }
        />
      </Card>
      {making && <NewKey onClose={() => setMaking(false)} />}
      <Outlet />
    </>
  );
}
