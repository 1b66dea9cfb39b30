import { describe, expect, test } from "vitest"

import { readDate } from "../../src/folder/dates.ts"

const read = (value: unknown, timezone: string | null = null): string => {
  const found = readDate(value, timezone)
  return "time" in found ? new Date(found.time).toISOString() : found.problem
}

describe("a date with an offset is a time in UTC", () => {
  test.each<[written: unknown, time: string]>([
    ["2024-01-02T03:04:05Z", "2024-01-02T03:04:05.000Z"],
    ["2024-01-02t03:04:05z", "2024-01-02T03:04:05.000Z"],
    ["2024-01-02T03:04:05.678+09:00", "2024-01-01T18:04:05.678Z"],
    ["2024-01-02T03:04:05.6Z", "2024-01-02T03:04:05.600Z"],
    ["2024-01-02 03:04:05,123999 UTC", "2024-01-02T03:04:05.123Z"],
    ["2024-01-02 03:04:05 +0900", "2024-01-01T18:04:05.000Z"],
    ["2024-01-02 03:04 -0330", "2024-01-02T06:34:00.000Z"],
    ["2024-01-02 03:04:05 UTC", "2024-01-02T03:04:05.000Z"],
    ["2024-03-10 09:00:00 +0800 CST", "2024-03-10T01:00:00.000Z"],
    ["2024-03-10 09:00:00.123456789 +0000 UTC", "2024-03-10T09:00:00.123Z"],
    ["Fri Sep 3 11:21:31 CEST 2021", "2021-09-03T09:21:31.000Z"],
    ["Sep  3 11:21:31 UTC 2021", "2021-09-03T11:21:31.000Z"],
    ["2024-03-10 09:00:00 EST", "2024-03-10T14:00:00.000Z"],
    ["March 5, 2024 6:30 PM UTC", "2024-03-05T18:30:00.000Z"],
    ["2024-03-05 12:05am Z", "2024-03-05T00:05:00.000Z"],
    ["Tue, 05 Mar 2024 18:30:00.5 UTC", "2024-03-05T18:30:00.500Z"],
    ["2024/1/2 3:04:05 +09", "2024-01-01T18:04:05.000Z"],
    ["  2024-01-02T03:04Z ", "2024-01-02T03:04:00.000Z"],
    ["Tue, 05 Mar 2024 18:30:00 GMT", "2024-03-05T18:30:00.000Z"],
    ["Tue Mar 05 2024 18:30:00 GMT+0100 (Central European Standard Time)", "2024-03-05T17:30:00.000Z"],
    ["Mar 05 2024 18:30:00 UTC", "2024-03-05T18:30:00.000Z"],
    [new Date("2024-01-02T03:04:05Z"), "2024-01-02T03:04:05.000Z"],
  ])("%s", (written, time) => {
    expect(read(written)).toBe(time)
    expect(read(written, "Asia/Tokyo")).toBe(time)
  })
})

describe("a date without an offset takes the configured time zone", () => {
  test.each<[written: string, timezone: string | null, time: string]>([
    ["2024-01-02 03:04:05", "Asia/Tokyo", "2024-01-01T18:04:05.000Z"],
    ["2024-01-02 03:04:05.678", "Asia/Tokyo", "2024-01-01T18:04:05.678Z"],
    ["2021-11-07 01:30:00.5", "America/New_York", "2021-11-07T05:30:00.500Z"],
    ["2024-01-02 03:04:05", null, "no timezone"],
    ["2024-01-02T03:04", null, "no timezone"],
    ["2024-07-02 12:00", "Europe/Paris", "2024-07-02T10:00:00.000Z"],
    ["2024-01-02 12:00", "Europe/Paris", "2024-01-02T11:00:00.000Z"],
    ["2024-01-02", null, "2024-01-02T00:00:00.000Z"],
    ["2024-01-02", "Asia/Tokyo", "2024-01-02T00:00:00.000Z"],
    ["2024/1/2", null, "2024-01-02T00:00:00.000Z"],
    ["2021-9-3", null, "2021-09-03T00:00:00.000Z"],
    ["2024-03", null, "2024-03-01T00:00:00.000Z"],
    ["March 5, 2024 6:30 PM", "Europe/Berlin", "2024-03-05T17:30:00.000Z"],
    ["Sep 3 11:21:31 2021", "Europe/Berlin", "2021-09-03T09:21:31.000Z"],
    ["Jul 08 2022", null, "2022-07-08T00:00:00.000Z"],
    ["8 July 2022", null, "2022-07-08T00:00:00.000Z"],
    ["July 8, 2022", null, "2022-07-08T00:00:00.000Z"],
    ["2024-01-02 12:00", "Asia/Kathmandu", "2024-01-02T06:15:00.000Z"],
    // Clocks that go forward never show 02:30: it is the hour after the gap.
    ["2021-03-14 02:30:00", "America/New_York", "2021-03-14T07:30:00.000Z"],
    ["2021-03-14 01:59:59", "America/New_York", "2021-03-14T06:59:59.000Z"],
    ["2021-03-14 03:00:00", "America/New_York", "2021-03-14T07:00:00.000Z"],
    // Clocks that go back show 01:30 twice: the first counts.
    ["2021-11-07 01:30:00", "America/New_York", "2021-11-07T05:30:00.000Z"],
    ["2021-11-07 00:59:59", "America/New_York", "2021-11-07T04:59:59.000Z"],
    ["2021-11-07 02:00:00", "America/New_York", "2021-11-07T07:00:00.000Z"],
    // Half an hour, and a whole day that Samoa left out.
    ["2021-10-03 02:15:00", "Australia/Lord_Howe", "2021-10-02T15:45:00.000Z"],
    ["2011-12-31 00:00:00", "Pacific/Apia", "2011-12-30T10:00:00.000Z"],
    ["2011-12-30 12:00:00", "Pacific/Apia", "2011-12-30T22:00:00.000Z"],
  ])("%s in %s", (written, timezone, time) => {
    expect(read(written, timezone)).toBe(time)
  })
})

test.each<[unknown]>([
  ["2024-02-30"],
  ["2023-02-29"],
  ["2024-13-01"],
  ["2024-00-10"],
  ["2024-01-00"],
  ["2024-01-02T24:00:00Z"],
  ["2024-01-02T03:60:00Z"],
  ["2024-01-02T03:04:05+99:99"],
  ["Foo 08 2022"],
  ["2024-03-10 09:00:00 XYZ"],
  ["2024-03-10T09:00:00 America/New_York"],
  ["03/05/2024"],
  ["20240310"],
  ["1709650000"],
  ["09:00:00"],
  ["Feb 30 2022"],
  ["Last Modified"],
  ["tomorrow"],
  [""],
  [2024],
  [1_704_164_645],
  [true],
  [null],
  [[]],
  [{}],
  [new Date(Number.NaN)],
  ["1 ".repeat(50_000)],
  [`Jan 1${" ".repeat(50_000)}x`],
  [`Jan 1 2022 12:00${" ".repeat(50_000)}x`],
  [`2022-01-01 12:00${" ".repeat(50_000)}x`],
  ["0001-01-01T00:00:00Z"],
  ["0050-01-02"],
])("%s is no date", (written) => {
  expect(read(written, "Asia/Tokyo")).toBe("invalid")
})

test("29 February of a leap year is a date", () => {
  expect(read("2024-02-29")).toBe("2024-02-29T00:00:00.000Z")
})
