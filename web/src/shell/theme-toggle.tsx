import { Moon, Sun } from "lucide-react";
import type { ReactNode } from "react";
import { shellText } from "../messages/en/shell.ts";
import { IconButton } from "../ui/button.tsx";
import { toggleTheme, useTheme } from "../ui/theme.ts";

export function ThemeToggle(): ReactNode {
  const theme = useTheme();
  return (
    <IconButton
      icon={theme === "dark" ? Sun : Moon}
      label={theme === "dark" ? shellText.lightTheme : shellText.darkTheme}
      onClick={toggleTheme}
    />
  );
}
