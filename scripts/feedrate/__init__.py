"""How many DataLoader workers feed this accelerator, for this data and these transforms?"""
