# %% [markdown]
# ## 結論

# %% [markdown]
# ### 貼り付けるコードとその理由
#
# {% for each in advice %}
# #### {{ each.condition }}：{{ each.workers | workers }}{{ "" if each.proven else "（暫定）" }}
#
# {% if each.proven %}
# 最良値から {{ near_percent }}% 以内に入ると証明された最少のワーカー数：
# {% else %}
# 最良値から {{ near_percent }}% 以内に入ると証明されたワーカー数はまだない。現時点で最良の推定値は次のとおりである：
# {% endif %}
#
#     {{ each.call | indent(4) }}
#
# {% if each.throughput %}
# - warm エポックのスループット：{{ each.throughput.median }} 画像/秒（中央値、{{ each.throughput.coverage }}% 信頼区間 {{ each.throughput.low }}〜{{ each.throughput.high }}）。
# {% endif %}
# {% if each.gain %}
# - **{{ each.help | term }}**：{{ each.gain.compared | workers }}のスループットはワーカーなしの {{ each.gain.ratio }} 倍（{{ confidence_percent }}% 信頼区間 {{ each.gain.low }}〜{{ each.gain.high }}、{{ each.gain.rounds }} ラウンド）で、判定は「{{ each.gain.verdict | term }}」である{% if each.gain.more_rounds %}。あと約 {{ each.gain.more_rounds }} ラウンドで判定がつく可能性がある{% endif %}。
# {% endif %}
# {% if each.plateau and each.plateau.proven is not none %}
# - 最良値から {{ near_percent }}% 以内に入る最少のワーカー数は、{{ each.plateau.from }} から {{ each.plateau.proven }} の間にある{% if each.plateau.declines_from %}。{{ each.plateau.declines_from }} 以上ではスループットが低下する{% endif %}。
# {% elif each.plateau %}
# - 除外されない最小の数は {{ each.plateau.from }} である{% if each.more_rounds %}。あと約 {{ each.more_rounds }} ラウンドで、いずれかの数が証明される可能性がある{% endif %}。
# {% endif %}
# {% if each.cost %}
# - コスト（ピーク時）：全ワーカーのメモリ {{ each.cost.workers_memory_mib }}、共有メモリ {{ each.cost.shared_memory_mib }}。
# {% endif %}
# {% for payback in each.paybacks %}
# {% if payback.epochs is none %}
# - 中央値で比べると、{{ payback.against | workers }}に対して、ワーカーの起動にかかる時間は取り戻せない。warm エポックも {{ payback.saved_seconds | replace("-", "") }} 秒長いためである。
# {% elif payback.epochs == 1 %}
# - 中央値で比べると、{{ payback.against | workers }}に対して、ワーカーの起動にかかる時間は初回エポックのうちに取り戻せる。
# {% else %}
# - 中央値で比べると、{{ payback.against | workers }}に対して、ワーカーの起動にかかる時間は {{ payback.epochs }} エポックで取り戻せる。
# {% endif %}
# {% endfor %}
# {% if each.start and each.persistent %}
# - 初回エポックは warm エポックより {{ each.start }} 秒長い。`persistent_workers` がなければすべてのエポックが初回と同じになるため、この設定は 2 エポック目から効果がある。
# {% endif %}
#
# {% endfor %}
# {% if device == "cpu" %}
# ここではアクセラレータを使わずに学習している。学習とワーカーが同じコアを共有するため、この結論はこのマシンについてのものである。このマシンから高速なアクセラレータへの供給がどうなるかを見るには、`device: emulated` を設定する。
# {% endif %}
