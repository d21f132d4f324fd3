import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { fill } from "../../messages/fill.ts";
import { ErrorCard } from "../error-card.tsx";
import { Drawer } from "../overlays/drawer.tsx";
import { ApiError } from "../requests/api.ts";
import { QueryView } from "../requests/query-view.tsx";
import { SkeletonCard } from "../skeleton.tsx";

type Props<Row> = {
  /** The whole list that the row is in. */
  readonly query: UseQueryResult<readonly Row[]>;
  readonly find: (row: Row) => boolean;
  /** What the row is, for the message that there is none: "operator". */
  readonly noun: string;
  /** The title until the row's name is known. */
  readonly code: string;
  readonly onClose: () => void;
  readonly footer?: ((row: Row) => ReactNode) | undefined;
  readonly children: (row: Row) => ReactNode;
};

/** The drawer of a named row of a list that is read as a whole. */
export function ItemDrawer<Row extends { readonly name: string }>(props: Props<Row>): ReactNode {
  const { query, find, noun, code, onClose, footer, children } = props;
  const row = query.data?.find(find);
  return (
    <Drawer title={row?.name ?? code} onClose={onClose} {...(row && footer ? { footer: footer(row) } : {})}>
      <QueryView query={query} skeleton={<SkeletonCard lines={6} />}>
        {() =>
          row === undefined ? <ErrorCard error={new ApiError(404, "not_found", fill(uiText.thisWasNotFound, { noun }))} /> : children(row)
        }
      </QueryView>
    </Drawer>
  );
}
