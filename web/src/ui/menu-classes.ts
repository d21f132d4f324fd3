/** Classes of a menu that opens below its button, and of its entries. */
export const menuClasses = "enter-up z-50 max-h-80 w-64 overflow-y-auto rounded-lg border border-line bg-raised p-1.5 shadow-xl";

export const menuItemClasses =
  "mt-0.5 flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-3 outline-none data-[highlighted]:bg-accent-tint data-[highlighted]:text-accent-strong";
