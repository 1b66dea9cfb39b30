import { testFaults } from "./faults.ts"
import { startFirefox } from "./firefox.ts"

testFaults("Firefox", startFirefox)
