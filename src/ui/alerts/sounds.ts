// The app's own sounds, synthesised from a few notes. Loaded only when needed.
import type { SoundName } from "../../contract";
import { within } from "../state/after-next-paint";

interface Note {
  /** Begins this long after the sound, s. */
  at: number;
  /** Hz. */
  pitch: number;
  /** Where the pitch glides to, Hz; absent = it stays. */
  glide?: number;
  /** Fades out over this time, s. */
  lasts: number;
  wave: OscillatorType;
}

/** A note's maximum volume, of 1: several may sound at once. */
const LOUDNESS = 0.22;

/** Attack of a note, s: without one it would click. */
const ATTACK_S = 0.008;

/** Exponential fades can't reach 0. */
const UNHEARD = 0.0001;

const note = (at: number, pitch: number, lasts: number, wave: OscillatorType = "sine", glide?: number): Note => ({
  ...{ at, pitch, lasts, wave },
  ...(glide !== undefined && { glide }),
});

const SOUNDS: Record<SoundName, readonly Note[]> = {
  chime: [note(0, 784, 0.5), note(0.12, 988, 0.5), note(0.24, 1_319, 0.8)],
  knock: [note(0, 190, 0.09, "triangle", 110), note(0.16, 190, 0.09, "triangle", 110)],
  drop: [note(0, 1_400, 0.16, "sine", 480)],
  bell: [note(0, 660, 1.4), note(0, 1_320, 0.9), note(0, 1_782, 0.6)],
  siren: [0, 0.36, 0.72].flatMap((at) => [
    note(at, 880, 0.17, "square", 940),
    note(at + 0.18, 660, 0.17, "square", 700),
  ]),
};

/** A browser that lets the page sound does so within this time, ms. */
const STARTS_WITHIN_MS = 300;

let context: AudioContext | undefined;
let endsAt = 0;

/** Plays a sound. Resolves, as it begins, to whether it is heard: browsers require a press in the page first. */
export async function playSound(name: SoundName): Promise<boolean> {
  if (!("AudioContext" in globalThis)) return false;
  context ??= new AudioContext();
  const own = context;
  // A blocked audio context waits for a press, perhaps for ever.
  await within(own.resume(), STARTS_WITHIN_MS);
  if (own.state !== "running") return false;
  for (const one of SOUNDS[name]) play(own, one);
  const lengthS = Math.max(...SOUNDS[name].map(({ at, lasts }) => at + lasts));
  endsAt = Math.max(endsAt, own.currentTime + lengthS);
  // A running context keeps the device's audio output busy.
  setTimeout(() => own.currentTime >= endsAt && void own.suspend(), (lengthS + 0.2) * 1_000);
  return true;
}

function play(own: AudioContext, { at, pitch, glide, lasts, wave }: Note): void {
  const start = own.currentTime + at;
  const oscillator = new OscillatorNode(own, { type: wave, frequency: pitch });
  if (glide !== undefined) oscillator.frequency.exponentialRampToValueAtTime(glide, start + lasts);
  const loudness = new GainNode(own, { gain: 0 });
  loudness.gain.setValueAtTime(UNHEARD, start);
  loudness.gain.exponentialRampToValueAtTime(LOUDNESS, start + ATTACK_S);
  loudness.gain.exponentialRampToValueAtTime(UNHEARD, start + lasts);
  oscillator.connect(loudness).connect(own.destination);
  oscillator.start(start);
  oscillator.stop(start + lasts);
}
