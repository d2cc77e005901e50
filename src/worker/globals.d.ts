/** Name of this build, put in by vite.config.ts; sorts by age. */
declare const __BUILD__: string;
