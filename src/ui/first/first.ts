import { draw } from "./draw";

let app: string | undefined;
function fetchApp() {
  for (const link of document.querySelectorAll<HTMLLinkElement>("link[rel=later]")) link.rel = "modulepreload";
}
function startApp() {
  fetchApp();
  app ??= document.querySelector<HTMLLinkElement>("#app-script")?.href;
  if (app) void import(/* @vite-ignore */ app);
}
void draw(fetchApp).finally(startApp);
