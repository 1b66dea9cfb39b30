// #region ebb
export const ebb = 2
// #endregion ebb
export const flood = 3
