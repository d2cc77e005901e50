import type { Translation } from "../catalogue";
import { bytes, count, duration, inOneUnit } from "../format";

/** Files that come with messages. Lengths of time in ms, sizes in bytes. */
export const attachment: Translation["attachment"] = {
  load: "加载图片",
  play: "播放",
  show: "显示文本",
  hide: "隐藏文本",
  from: (host) => `来自 ${host}`,
  on: (host) => `位于 ${host}`,
  expiresIn: (ms) => `服务器还会保留 ${duration(inOneUnit(ms))}`,
  gone: "服务器上已不存在",
  file: "文件",
  size: bytes,
  failed: {
    image: "无法显示：文件不存在或不是图片",
    audio: "无法播放：文件不存在，或此浏览器不支持其格式",
    video: "无法播放：文件不存在，或此浏览器不支持其格式",
  },
  tryAgain: "重试",
  kept: "已保存在此设备上",
  notKept: {
    gone: "服务器在保存之前已将其删除",
    refused: "未保存：服务器要求登录",
    "too-large": "未保存：超过了文件大小上限",
    "no-room": "未保存：文件空间已用完",
    "disk-full": "未保存：此设备没有剩余空间",
    deleted: "未保存：你已删除保存的文件",
    failed: "未保存：没有响应，或返回的不是该文件",
  },
  save: "保存",

  image: {
    enlarge: (name) => `放大 ${name}`,
    zoomIn: "放大",
    zoomOut: "缩小",
    fit: "适应屏幕",
    zoom: (percent) => `${count(percent)}%`,
    open: "在新标签页中打开",
    previous: "上一张图片",
    next: "下一张图片",
    save: "保存图片",
    share: "分享图片",
    loading: "正在加载…",
    view: "图片；方向键移动，+ 和 − 缩放",
  },

  text: {
    reading: "正在读取…",
    first: (shown, total) => (total === undefined ? `前 ${bytes(shown)}` : `前 ${bytes(shown)}，共 ${bytes(total)}`),
    empty: "文件为空",
    none: "这不是文本",
    gone: "服务器上已不存在",
    failed: "无法在此读取：没有应答，或其主机不允许此页面读取",
  },
};
