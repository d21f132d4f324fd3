import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { CodeBlock } from "./formats/code-block.tsx";

type EmptyStateProps = {
  readonly icon?: LucideIcon;
  /** One sentence that says what will appear here. */
  readonly children: ReactNode;
  /** The next step: a link or a button. */
  readonly action?: ReactNode;
  readonly code?: string;
  readonly codeTitle?: string;
};

export function EmptyState({ icon: Icon, children, action, code, codeTitle }: EmptyStateProps): ReactNode {
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-12 text-center">
      {Icon && (
        <span className="rounded-full bg-accent-tint p-3 text-accent">
          <Icon aria-hidden className="size-6" />
        </span>
      )}
      <p className="max-w-prose text-balance text-soft">{children}</p>
      {action}
      {code !== undefined && (
        <div className="w-full max-w-2xl">
          <CodeBlock code={code} {...(codeTitle === undefined ? {} : { title: codeTitle })} />
        </div>
      )}
    </div>
  );
}
