import { startChromium } from "./chromium.ts"
import { testFaults } from "./faults.ts"

testFaults("Chromium", startChromium)
