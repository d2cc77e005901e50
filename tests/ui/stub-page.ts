import { vi } from "vitest";

/**
 * Stubs the few things of a page that its state uses: the address bar, its history and the network. The page is hidden,
 * so that no frames are drawn.
 */
export function stubPage(url = "https://app.example/#/"): void {
  const location = new URL(url);
  const go = (state: unknown, _title: string, to?: string) => {
    history.state = state;
    if (to) location.href = new URL(to, location.href).href;
  };
  const history: { state: unknown; pushState: typeof go; replaceState: typeof go; back: () => void } = {
    state: null,
    pushState: go,
    replaceState: go,
    back: vi.fn(),
  };
  vi.stubGlobal("location", location);
  vi.stubGlobal("history", history);
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("document", { visibilityState: "hidden", addEventListener: vi.fn(), removeEventListener: vi.fn() });
  vi.stubGlobal("addEventListener", vi.fn());
  vi.stubGlobal("removeEventListener", vi.fn());
}
