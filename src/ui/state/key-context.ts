/**
 * The actions of a page or dialog that has its own keys. It adds itself to `App.keyTargets` while it is in use; its
 * keys are in the table of commands with all others.
 */
export type KeyContext =
  | {
      kind: "columns";
      /** Goes to the column `by` places to the right. */
      step: (by: -1 | 1) => void;
      /** Moves the active column `by` places to the right. */
      move: (by: -1 | 1) => void;
      add: () => void;
    }
  | { kind: "wall"; leave: () => void; fill: () => void }
  | {
      kind: "raw";
      /** Switches between following the newest lines and staying where the user reads. */
      toggleFollow: () => void;
      copy: () => void;
      clear: () => void;
      back: () => void;
    }
  | {
      kind: "picture";
      zoom: (by: -1 | 1) => void;
      fit: () => void;
      /** Moves the visible part of an enlarged picture by this many steps. */
      look: (right: -1 | 0 | 1, down: -1 | 0 | 1) => void;
    };
